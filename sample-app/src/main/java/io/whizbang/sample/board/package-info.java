/**
 * What the page of the shop shows: how the newest orders stand, and who did what.
 */
@NullMarked
package io.whizbang.sample.board;

import org.jspecify.annotations.NullMarked;
