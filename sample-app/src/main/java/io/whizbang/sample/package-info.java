/**
 * A small shop: every order it takes is paid once and confirmed, whatever crashes in
 * between.
 */
@NullMarked
package io.whizbang.sample;

import org.jspecify.annotations.NullMarked;
