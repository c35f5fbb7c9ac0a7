package io.whizbang.autoconfigure.health;

import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

import io.whizbang.coordinator.QueueStatistics;
import io.whizbang.worker.WorkerStatus;
import io.whizbang.worker.WorkerStatus.State;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether a worker speaks with the database. A backlog, or a topic that nobody
 * takes, is worth a detail but no reason to be down, unless somebody has set a limit:
 * restarting would not help.
 */
final class WorkerHealthIndicator extends AbstractHealthIndicator {

	private final Supplier<WorkerStatus> status;

	private final Supplier<Set<String>> unroutableTopics;

	private final Supplier<@Nullable QueueStatistics> statistics;

	private final Duration longestSilence;

	private final HealthProperties limits;

	WorkerHealthIndicator(Supplier<WorkerStatus> status, Supplier<Set<String>> unroutableTopics,
			Supplier<@Nullable QueueStatistics> statistics, Duration longestSilence, HealthProperties limits) {
		super("The status of the worker could not be told");
		this.status = status;
		this.unroutableTopics = unroutableTopics;
		this.statistics = statistics;
		this.longestSilence = (limits.maxSilence() != null) ? limits.maxSilence() : longestSilence;
		this.limits = limits;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		WorkerStatus worker = this.status.get();
		builder.withDetail("state", worker.state())
			.withDetail("lastRound", worker.sinceLastRound().toMillis() + " ms ago")
			.withDetail("failedRounds", worker.consecutiveFailures())
			.withDetail("inFlight", worker.inFlight())
			.withDetail("claims", worker.claims())
			.withDetail("running", worker.running())
			.withDetail("instances", worker.members())
			.withDetail("listening", worker.listening());
		QueueStatistics queue = this.statistics.get();
		if (queue != null) {
			describe(builder, queue);
		}
		Set<String> unroutable = this.unroutableTopics.get();
		if (!unroutable.isEmpty()) {
			builder.withDetail("topicsThatNobodyTakes", unroutable);
		}
		judge(builder, worker);
		if (queue != null) {
			judge(builder, queue);
		}
	}

	private static void describe(Health.Builder builder, QueueStatistics queue) {
		builder.withDetail("ready", counted(queue.ready()))
			.withDetail("waiting", counted(queue.waiting()))
			.withDetail("parked", counted(queue.parked()))
			.withDetail("scheduled", counted(queue.scheduled()))
			.withDetail("deadLetters", counted(queue.deadLetters()));
		if (queue.oldest() != null) {
			builder.withDetail("oldest", queue.oldest().toMillis() + " ms old");
		}
	}

	private static Object counted(int count) {
		return (count < QueueStatistics.LIMIT) ? count : count + " or more";
	}

	private void judge(Health.Builder builder, WorkerStatus worker) {
		if (worker.state() == State.UNUSED) {
			builder.up();
		}
		else if (worker.state() != State.RUNNING) {
			builder.unknown();
		}
		else if (worker.consecutiveFailures() >= this.limits.maxFailedRounds()) {
			builder.down().withDetail("reason", "the last rounds failed; see the log");
		}
		else if (worker.sinceLastRound().compareTo(this.longestSilence) > 0) {
			builder.down().withDetail("reason", "no round for longer than " + this.longestSilence);
		}
		else {
			builder.up();
		}
	}

	/** Only where somebody has set limits. */
	private void judge(Health.Builder builder, QueueStatistics queue) {
		Duration oldest = queue.oldest();
		if (this.limits.maxOldestAge() != null && oldest != null && oldest.compareTo(this.limits.maxOldestAge()) > 0) {
			exceeded(builder, "the oldest message is older than " + this.limits.maxOldestAge());
		}
		if (this.limits.maxReady() != null && queue.ready() > this.limits.maxReady()) {
			exceeded(builder, "more than %d messages are ready".formatted(this.limits.maxReady()));
		}
		if (this.limits.maxDeadLetters() != null && queue.deadLetters() > this.limits.maxDeadLetters()) {
			exceeded(builder, "there are more than %d dead letters".formatted(this.limits.maxDeadLetters()));
		}
	}

	private static void exceeded(Health.Builder builder, String reason) {
		builder.down().withDetail("reason", reason);
	}

}
