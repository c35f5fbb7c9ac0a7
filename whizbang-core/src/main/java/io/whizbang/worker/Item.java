package io.whizbang.worker;

import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * A claimed message in this instance's hands.
 *
 * @param work the message
 * @param claim what it was claimed with
 * @param key what it may be handed over with, or {@code null} when it goes alone
 * @param exhausted whether it has failed too often to be tried again
 */
record Item(Work work, HeldClaim claim, @Nullable Object key, boolean exhausted) {
}
