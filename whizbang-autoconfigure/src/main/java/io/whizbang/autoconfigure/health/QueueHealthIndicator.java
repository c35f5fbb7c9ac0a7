package io.whizbang.autoconfigure.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.queue.QueueStatus;
import io.whizbang.queue.QueueWorker;
import io.whizbang.queue.Queues;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether work queues are consumed. One that is long or paused is worth a detail
 * but no reason to be down, unless somebody has set a limit: restarting would not help.
 */
final class QueueHealthIndicator extends AbstractHealthIndicator {

	private static final int MANY_QUEUES = 100;

	private static final int SHOWN = 20;

	private final QueueWorker worker;

	private final Queues queues;

	private final HealthProperties limits;

	QueueHealthIndicator(QueueWorker worker, Queues queues, HealthProperties limits) {
		super("The status of work queues could not be told");
		this.worker = worker;
		this.queues = queues;
		this.limits = limits;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		boolean running = this.worker.isRunning();
		builder.withDetail("state", running ? "RUNNING" : this.worker.hasConsumers() ? "STOPPED" : "NO_CONSUMERS")
			.withDetail("running", this.worker.running())
			.withDetail("failedRounds", this.worker.consecutiveFailures());
		if (this.worker.consecutiveFailures() >= this.limits.maxFailedRounds()) {
			builder.down().withDetail("reason", "the last rounds failed; see the log");
			return;
		}
		if (running || !this.worker.hasConsumers()) {
			builder.up();
		}
		else {
			builder.unknown();
		}
		List<QueueStatus> all = this.queues.list(null, MANY_QUEUES);
		Map<String, Object> details = new LinkedHashMap<>();
		all.stream().limit(SHOWN).forEach((queue) -> details.put(queue.name(), details(queue)));
		int dead = this.queues.totals().deadLetters();
		builder.withDetail("queues", details).withDetail("deadLetters", dead);
		judge(builder, all, dead);
	}

	/** Only where somebody has set limits. */
	private void judge(Health.Builder builder, List<QueueStatus> all, int dead) {
		Duration maxAge = this.limits.maxOldestAge();
		if (maxAge != null && all.stream().anyMatch((queue) -> isOlder(queue, maxAge))) {
			exceeded(builder, "the first in line of a work queue has been waiting for longer than " + maxAge);
		}
		Integer maxReady = this.limits.maxReady();
		if (maxReady != null && all.stream().anyMatch((queue) -> queue.messages() > maxReady)) {
			exceeded(builder, "more than %d messages are in a work queue".formatted(maxReady));
		}
		Integer maxDead = this.limits.maxDeadLetters();
		if (maxDead != null && dead > maxDead) {
			exceeded(builder, "work queues have more than %d dead letters".formatted(maxDead));
		}
	}

	private static boolean isOlder(QueueStatus queue, Duration age) {
		Duration oldest = queue.oldest();
		return oldest != null && oldest.compareTo(age) > 0;
	}

	private static void exceeded(Health.Builder builder, String reason) {
		builder.down().withDetail("reason", reason);
	}

	private static Map<String, Object> details(QueueStatus queue) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("messages", queue.messages());
		details.put("readyKeys", queue.ready());
		details.put("lockedKeys", queue.locked());
		details.put("waitingKeys", queue.waiting());
		details.put("deadLetters", queue.deadLetters());
		details.put("paused", queue.paused());
		Duration oldest = queue.oldest();
		if (oldest != null) {
			details.put("oldestSeconds", oldest.toSeconds());
		}
		return details;
	}

}
