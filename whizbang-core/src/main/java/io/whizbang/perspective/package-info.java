/**
 * Read models that follow the events: every event once, in the order of its stream.
 */
@NullMarked
package io.whizbang.perspective;

import org.jspecify.annotations.NullMarked;
