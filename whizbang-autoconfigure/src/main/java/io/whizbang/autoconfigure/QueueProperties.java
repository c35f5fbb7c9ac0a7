package io.whizbang.autoconfigure;

import java.time.Duration;

import io.whizbang.queue.QueueSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of work queues.
 *
 * @param enabled Whether to enable work queues.
 * @param lock Time that a key is locked, unless that is renewed.
 * @param maxLock Time that the locks of consumers are renewed at most.
 * @param batchSize Number of messages of a key that are handed out at once.
 * @param batchBytes Number of bytes of the messages that are handed out at once, unless
 * one alone is larger.
 * @param retry When failed messages are tried again, unless their consumer says
 * otherwise.
 * @param worker How this instance runs consumers.
 */
@ConfigurationProperties("whizbang.queues")
public record QueueProperties(@DefaultValue("true") boolean enabled, @DefaultValue("30s") Duration lock,
		@DefaultValue("1h") Duration maxLock, @DefaultValue("100") int batchSize,
		@DefaultValue("1048576") int batchBytes, @NestedConfigurationProperty @DefaultValue RetryProperties retry,
		@DefaultValue Worker worker) {

	private static final String PREFIX = "whizbang.queues.";

	public QueueProperties {
		Requirement.positive(PREFIX + "lock", lock);
		Requirement.notBelow(PREFIX + "max-lock", maxLock, PREFIX + "lock", lock);
		Requirement.atLeast(PREFIX + "batch-size", 1, batchSize);
		Requirement.atLeast(PREFIX + "batch-bytes", 1, batchBytes);
		retry.check(PREFIX + "retry.");
		worker.check(PREFIX + "worker.");
	}

	QueueSettings toSettings(Duration shutdownTimeout) {
		return new QueueSettings(this.lock, this.maxLock, this.batchSize, this.batchBytes, this.retry.toPolicy(),
				this.worker.concurrency(), this.worker.maxPollInterval(), this.worker.listeningPollInterval(),
				WorkerProperties.drainTimeout(this.worker.drainTimeout(), shutdownTimeout));
	}

	/**
	 * How one instance runs consumers.
	 *
	 * @param enabled Whether this instance runs consumers. Without it, that is left to
	 * other instances.
	 * @param concurrency Number of batches of a queue that this instance has under way at
	 * once, unless its consumer says otherwise.
	 * @param maxPollInterval Longest time between two looks while announcements of other
	 * instances do not arrive.
	 * @param listeningPollInterval Longest such time while announcements of other
	 * instances arrive.
	 * @param drainTimeout Time that consumers may take to end when the application stops.
	 * Five seconds less than 'spring.lifecycle.timeout-per-shutdown-phase' if not set.
	 */
	public record Worker(@DefaultValue("true") boolean enabled, @DefaultValue("8") int concurrency,
			@DefaultValue("1s") Duration maxPollInterval, @DefaultValue("10s") Duration listeningPollInterval,
			@Nullable Duration drainTimeout) {

		void check(String prefix) {
			Requirement.atLeast(prefix + "concurrency", 1, this.concurrency);
			Requirement.positive(prefix + "max-poll-interval", this.maxPollInterval);
			Requirement.positive(prefix + "listening-poll-interval", this.listeningPollInterval);
			if (this.drainTimeout != null) {
				Requirement.notNegative(prefix + "drain-timeout", this.drainTimeout);
			}
		}

	}

}
