/**
 * Timers: messages of the outbox that come later, and until then can be found, cancelled
 * and moved.
 */
@NullMarked
package io.whizbang.timer;

import org.jspecify.annotations.NullMarked;
