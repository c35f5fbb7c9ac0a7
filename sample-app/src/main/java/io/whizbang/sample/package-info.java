/**
 * A small shop: every order it takes is confirmed, whatever crashes in between.
 */
@NullMarked
package io.whizbang.sample;

import org.jspecify.annotations.NullMarked;
