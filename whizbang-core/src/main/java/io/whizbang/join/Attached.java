package io.whizbang.join;

import org.jspecify.annotations.Nullable;

/**
 * What the database says to new members.
 *
 * @param status how the join stands, or {@code null} when there is none
 * @param expected how many members it expects, or {@code null}
 * @param attached how many it has
 * @param added how many of them are new
 * @param isFull whether they would be too many
 */
record Attached(@Nullable JoinStatus status, @Nullable Integer expected, int attached, int added, boolean isFull) {
}
