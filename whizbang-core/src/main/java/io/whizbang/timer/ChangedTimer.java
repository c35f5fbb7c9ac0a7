package io.whizbang.timer;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A timer that was scheduled, moved or cancelled.
 *
 * @param id identity
 * @param key its key, or {@code null} when it has none or nobody asked
 * @param partitionHash decides whose share its message falls into
 * @param dueIn how long until it fires
 * @param endedMember whether it was a member of a join, and has ended as such
 */
record ChangedTimer(TimerId id, @Nullable String key, int partitionHash, Duration dueIn, boolean endedMember) {

	/** Returns the partition hashes of timers that fire within a time. */
	static Set<Integer> near(Collection<ChangedTimer> timers, Duration time) {
		return timers.stream()
			.filter((timer) -> timer.dueIn.compareTo(time) <= 0)
			.map(ChangedTimer::partitionHash)
			.collect(Collectors.toSet());
	}

}
