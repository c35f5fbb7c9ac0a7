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
 * takes, is worth a detail but no reason to be down: restarting would not help.
 */
final class WorkerHealthIndicator extends AbstractHealthIndicator {

	/** One failed round is a blip; the loop tries again by itself. */
	private static final int MANY_FAILURES = 3;

	private final Supplier<WorkerStatus> status;

	private final Supplier<Set<String>> unroutableTopics;

	private final Supplier<@Nullable QueueStatistics> statistics;

	private final Duration longestSilence;

	WorkerHealthIndicator(Supplier<WorkerStatus> status, Supplier<Set<String>> unroutableTopics,
			Supplier<@Nullable QueueStatistics> statistics, Duration longestSilence) {
		super("The status of the worker could not be told");
		this.status = status;
		this.unroutableTopics = unroutableTopics;
		this.statistics = statistics;
		this.longestSilence = longestSilence;
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
		else if (worker.consecutiveFailures() >= MANY_FAILURES) {
			builder.down().withDetail("reason", "the last rounds failed; see the log");
		}
		else if (worker.sinceLastRound().compareTo(this.longestSilence) > 0) {
			builder.down().withDetail("reason", "no round for longer than " + this.longestSilence);
		}
		else {
			builder.up();
		}
	}

}
