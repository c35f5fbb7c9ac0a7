package io.whizbang.autoconfigure;

import java.time.Duration;

import io.whizbang.perspective.CompletionStrategy;
import io.whizbang.perspective.PerspectiveSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of perspectives.
 *
 * @param enabled Whether to enable perspectives.
 * @param pageSize Number of events that are read, and applied in one transaction, at
 * most.
 * @param streamBatch Number of events of one stream that are applied in one transaction,
 * at most.
 * @param completion When the transaction ends that events are applied in: with the page,
 * or with every event.
 * @param retireAfter Time that the tables of a model are kept after another one took its
 * place, for readers that do not know yet. At least 2 seconds.
 * @param progressInterval Time between two lines in the log that tell how far a rebuild
 * is.
 * @param retry When a failed stream is tried again.
 * @param worker How this instance applies events. It works only when the application has
 * perspectives.
 */
@ConfigurationProperties("whizbang.perspectives")
public record PerspectiveProperties(@DefaultValue("true") boolean enabled, @DefaultValue("1000") int pageSize,
		@DefaultValue("100") int streamBatch, @DefaultValue("batched") Completion completion,
		@DefaultValue("1m") Duration retireAfter, @DefaultValue("10s") Duration progressInterval,
		@NestedConfigurationProperty @DefaultValue RetryProperties retry, @DefaultValue Worker worker) {

	private static final String PREFIX = "whizbang.perspectives.";

	public PerspectiveProperties {
		Requirement.atLeast(PREFIX + "page-size", 1, pageSize);
		Requirement.atLeast(PREFIX + "stream-batch", 1, streamBatch);
		Requirement.atLeast(PREFIX + "retire-after", PerspectiveSettings.MIN_RETIRE_AFTER, retireAfter);
		Requirement.positive(PREFIX + "progress-interval", progressInterval);
		retry.check(PREFIX + "retry.");
		worker.check(PREFIX + "worker.");
	}

	PerspectiveSettings toSettings(Duration shutdownTimeout) {
		return new PerspectiveSettings(this.pageSize, PerspectiveSettings.defaults().pageBytes(), this.streamBatch,
				this.worker.concurrency(), this.retry.toPolicy(), this.worker.lease(), this.worker.minPollInterval(),
				this.worker.maxPollInterval(), this.worker.listeningPollInterval(), this.progressInterval,
				this.retireAfter, WorkerProperties.drainTimeout(this.worker.drainTimeout(), shutdownTimeout));
	}

	/** When the transaction ends that events are applied in. */
	public enum Completion {

		/** With the page. */
		BATCHED,

		/** With every event. */
		INSTANT;

		CompletionStrategy strategy() {
			return (this == INSTANT) ? CompletionStrategy.instant() : CompletionStrategy.batched();
		}

	}

	/**
	 * How one instance applies events.
	 *
	 * @param enabled Whether this instance applies events. Without it, they are left to
	 * other instances.
	 * @param concurrency Number of pages that this instance applies at once, over all
	 * perspectives.
	 * @param lease Time that a part of a perspective stays with an instance that does not
	 * answer any more.
	 * @param minPollInterval Shortest time between two looks for events that nobody
	 * announced.
	 * @param maxPollInterval Longest such time while announcements of other instances do
	 * not arrive.
	 * @param listeningPollInterval Longest such time while announcements of other
	 * instances arrive.
	 * @param drainTimeout Time that a page may take to end when the application stops.
	 * Five seconds less than 'spring.lifecycle.timeout-per-shutdown-phase' if not set.
	 */
	public record Worker(@DefaultValue("true") boolean enabled, @DefaultValue("4") int concurrency,
			@DefaultValue("30s") Duration lease, @DefaultValue("100ms") Duration minPollInterval,
			@DefaultValue("1s") Duration maxPollInterval, @DefaultValue("10s") Duration listeningPollInterval,
			@Nullable Duration drainTimeout) {

		void check(String prefix) {
			Requirement.atLeast(prefix + "concurrency", 1, this.concurrency);
			Requirement.positive(prefix + "lease", this.lease);
			String least = prefix + "min-poll-interval";
			Requirement.positive(least, this.minPollInterval);
			Requirement.notBelow(prefix + "max-poll-interval", this.maxPollInterval, least, this.minPollInterval);
			Requirement.notBelow(prefix + "listening-poll-interval", this.listeningPollInterval, least,
					this.minPollInterval);
			if (this.drainTimeout != null) {
				Requirement.notNegative(prefix + "drain-timeout", this.drainTimeout);
			}
		}

	}

}
