/**
 * Enqueue in the caller's transaction; deliver after commit.
 */
@NullMarked
package io.whizbang.outbox;

import org.jspecify.annotations.NullMarked;
