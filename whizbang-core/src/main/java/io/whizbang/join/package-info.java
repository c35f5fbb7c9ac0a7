/**
 * Joins: one message follows when many pieces of work have ended.
 */
@NullMarked
package io.whizbang.join;

import org.jspecify.annotations.NullMarked;
