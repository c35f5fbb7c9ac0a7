/**
 * The till: every order is paid once, whatever crashes in between.
 */
@NullMarked
package io.whizbang.sample.payment;

import org.jspecify.annotations.NullMarked;
