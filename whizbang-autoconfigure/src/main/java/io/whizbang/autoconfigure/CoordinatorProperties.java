package io.whizbang.autoconfigure;

import java.time.Duration;

import io.whizbang.coordinator.CoordinatorSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Rules by which instances share work. They must be the same in all instances of an
 * application.
 *
 * @param lease Time that claimed messages stay with an instance without renewal.
 * @param heartbeat Time between two signs of life of an instance.
 * @param deadAfter Silence after which an instance whose database session is gone counts
 * as dead.
 * @param staleAfter Silence after which any instance counts as dead.
 * @param partitions Number of virtual partitions that streams are spread over. Can change
 * only while no messages are in work.
 * @param maxPartitionsPerInstance Number of partitions that one instance may hold at
 * once. Unlimited if not set.
 * @param debug Whether completed messages are kept, with who completed them and when.
 * @param synchronousCommit Whether claims and completions wait for the disk. Without it,
 * a crash of the database may repeat deliveries but loses none. Rounds that fire timers
 * wait as the session does.
 */
@ConfigurationProperties("whizbang.coordinator")
public record CoordinatorProperties(@DefaultValue("5m") Duration lease, @DefaultValue("10s") Duration heartbeat,
		@DefaultValue("30s") Duration deadAfter, @DefaultValue("10m") Duration staleAfter,
		@DefaultValue("10000") int partitions, @Nullable Integer maxPartitionsPerInstance,
		@DefaultValue("false") boolean debug, @DefaultValue("false") boolean synchronousCommit) {

	private static final String PREFIX = "whizbang.coordinator.";

	public CoordinatorProperties {
		Requirement.positive(PREFIX + "lease", lease);
		Requirement.positive(PREFIX + "heartbeat", heartbeat);
		Requirement.above(PREFIX + "dead-after", deadAfter, PREFIX + "heartbeat", heartbeat);
		Requirement.notBelow(PREFIX + "stale-after", staleAfter, PREFIX + "dead-after", deadAfter);
		Requirement.atLeast(PREFIX + "partitions", 1, partitions);
		if (maxPartitionsPerInstance != null) {
			Requirement.atLeast(PREFIX + "max-partitions-per-instance", 1, maxPartitionsPerInstance);
		}
	}

	CoordinatorSettings toSettings() {
		return new CoordinatorSettings(this.lease, this.heartbeat, this.deadAfter, this.staleAfter, this.partitions,
				this.maxPartitionsPerInstance, this.debug, this.synchronousCommit);
	}

}
