package io.whizbang.coordinator;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Rules that every instance of an application shares.
 *
 * @param lease how long a claim lasts without renewal
 * @param heartbeat how often an instance shows that it is alive
 * @param deadAfter silence after which an instance whose database session is gone counts
 * as dead
 * @param staleAfter silence after which any instance counts as dead
 * @param partitions number of virtual partitions
 * @param maxPartitionsPerInstance how many partitions one instance may hold at once, or
 * {@code null} for no limit
 * @param debug whether completed messages are kept, with who and when
 * @param synchronousCommit whether an exchange waits for the disk; without it a crash of
 * the database repeats deliveries, never loses one
 */
public record CoordinatorSettings(Duration lease, Duration heartbeat, Duration deadAfter, Duration staleAfter,
		int partitions, @Nullable Integer maxPartitionsPerInstance, boolean debug, boolean synchronousCommit) {

	public static CoordinatorSettings defaults() {
		return new CoordinatorSettings(Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofSeconds(30),
				Duration.ofMinutes(10), 10_000, null, false, false);
	}

	public CoordinatorSettings withLease(Duration lease) {
		return new CoordinatorSettings(lease, this.heartbeat, this.deadAfter, this.staleAfter, this.partitions,
				this.maxPartitionsPerInstance, this.debug, this.synchronousCommit);
	}

}
