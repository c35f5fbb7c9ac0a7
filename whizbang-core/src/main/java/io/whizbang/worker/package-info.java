/**
 * The engine: loop, waker, lanes (one stream, one lane), start and stop.
 */
@NullMarked
package io.whizbang.worker;

import org.jspecify.annotations.NullMarked;
