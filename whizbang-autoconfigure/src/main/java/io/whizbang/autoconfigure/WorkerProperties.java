package io.whizbang.autoconfigure;

import java.time.Duration;

import io.whizbang.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How one worker goes about its queue.
 *
 * @param enabled Whether this instance works on the queue. Without it, messages can be
 * enqueued here and are left to other instances.
 * @param batchSize Number of messages claimed at once.
 * @param concurrency Number of calls of handlers and transports that run at once. Twice
 * the number of processors, and at least four, if not set.
 * @param prefetch Number of messages that this instance may hold at once. Three times the
 * batch size if not set.
 * @param handOver Number of messages that one call of a transport gets at most.
 * @param handlerTimeout Time that one call of a handler or transport may take before it
 * is interrupted.
 * @param maxRenewals Number of times that the lease of a batch is renewed while its work
 * is in progress.
 * @param flushInterval Time that the results of a finished batch may wait to be reported.
 * @param partialFlushInterval Time that results of an unfinished batch may wait to be
 * reported.
 * @param minPollInterval Shortest time between two looks for work that nobody announced.
 * @param maxPollInterval Longest such time while announcements of other instances do not
 * arrive.
 * @param listeningPollInterval Longest such time while announcements of other instances
 * arrive.
 * @param stealWhenIdle Whether an idle instance takes work from the share of others.
 * @param drainTimeout Time that running work may take to end when the application stops.
 * Five seconds less than 'spring.lifecycle.timeout-per-shutdown-phase' if not set.
 */
public record WorkerProperties(@DefaultValue("true") boolean enabled, @DefaultValue("2000") int batchSize,
		@Nullable Integer concurrency, @Nullable Integer prefetch, @DefaultValue("500") int handOver,
		@DefaultValue("60s") Duration handlerTimeout, @DefaultValue("12") int maxRenewals,
		@DefaultValue("3ms") Duration flushInterval, @DefaultValue("50ms") Duration partialFlushInterval,
		@DefaultValue("50ms") Duration minPollInterval, @DefaultValue("1s") Duration maxPollInterval,
		@DefaultValue("10s") Duration listeningPollInterval, @DefaultValue("false") boolean stealWhenIdle,
		@Nullable Duration drainTimeout) {

	private static final Duration FAREWELL = Duration.ofSeconds(5);

	void check(String prefix) {
		Requirement.atLeast(prefix + "batch-size", 1, this.batchSize);
		if (this.concurrency != null) {
			Requirement.atLeast(prefix + "concurrency", 1, this.concurrency);
		}
		if (this.prefetch != null) {
			Requirement.atLeast(prefix + "prefetch", 1, this.prefetch);
		}
		Requirement.atLeast(prefix + "hand-over", 1, this.handOver);
		Requirement.positive(prefix + "handler-timeout", this.handlerTimeout);
		Requirement.atLeast(prefix + "max-renewals", 0, this.maxRenewals);
		Requirement.notNegative(prefix + "flush-interval", this.flushInterval);
		Requirement.notNegative(prefix + "partial-flush-interval", this.partialFlushInterval);
		String least = prefix + "min-poll-interval";
		Requirement.positive(least, this.minPollInterval);
		Requirement.notBelow(prefix + "max-poll-interval", this.maxPollInterval, least, this.minPollInterval);
		Requirement.notBelow(prefix + "listening-poll-interval", this.listeningPollInterval, least,
				this.minPollInterval);
		if (this.drainTimeout != null) {
			Requirement.notNegative(prefix + "drain-timeout", this.drainTimeout);
		}
	}

	WorkerSettings toSettings(Duration shutdownTimeout) {
		int concurrency = (this.concurrency != null) ? this.concurrency : WorkerSettings.defaults().concurrency();
		int prefetch = (this.prefetch != null) ? this.prefetch : 3 * this.batchSize;
		return new WorkerSettings(this.batchSize, concurrency, prefetch, this.handOver, this.flushInterval,
				this.partialFlushInterval, this.handlerTimeout, this.maxRenewals, this.minPollInterval,
				this.maxPollInterval, this.listeningPollInterval, this.stealWhenIdle,
				drainTimeout(this.drainTimeout, shutdownTimeout));
	}

	/** Who stops must be done before the application is ended. */
	static Duration drainTimeout(@Nullable Duration given, Duration shutdownTimeout) {
		if (given != null) {
			return given;
		}
		Duration rest = shutdownTimeout.minus(FAREWELL);
		return rest.isNegative() ? Duration.ZERO : rest;
	}

}
