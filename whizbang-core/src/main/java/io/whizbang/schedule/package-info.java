/**
 * Cadences: the times at which something happens again and again.
 */
@NullMarked
package io.whizbang.schedule;

import org.jspecify.annotations.NullMarked;
