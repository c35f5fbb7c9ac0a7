/**
 * Pictures that customers upload, and that are resized one after the other for each.
 */
@NullMarked
package io.whizbang.sample.picture;

import org.jspecify.annotations.NullMarked;
