/**
 * Append events in the caller's transaction; read them by stream or by position.
 */
@NullMarked
package io.whizbang.event;

import org.jspecify.annotations.NullMarked;
