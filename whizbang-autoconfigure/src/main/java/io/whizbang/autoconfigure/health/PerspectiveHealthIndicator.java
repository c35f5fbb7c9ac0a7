package io.whizbang.autoconfigure.health;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.perspective.PerspectiveHandlers;
import io.whizbang.perspective.PerspectiveStatus;
import io.whizbang.perspective.PerspectiveStatus.State;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.perspective.Perspectives;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether perspectives follow the events. One that is behind, or has streams that
 * stopped, is worth a detail but no reason to be down: restarting would not help.
 */
final class PerspectiveHealthIndicator extends AbstractHealthIndicator {

	/** One failed round is a blip; the loop tries again by itself. */
	private static final int MANY_FAILURES = 3;

	private final PerspectiveWorker worker;

	private final Perspectives perspectives;

	private final PerspectiveHandlers handlers;

	PerspectiveHealthIndicator(PerspectiveWorker worker, Perspectives perspectives, PerspectiveHandlers handlers) {
		super("The status of perspectives could not be told");
		this.worker = worker;
		this.perspectives = perspectives;
		this.handlers = handlers;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		if (this.handlers.isEmpty()) {
			builder.up().withDetail("state", "UNUSED");
			return;
		}
		builder.withDetail("state", this.worker.isRunning() ? "RUNNING" : "STOPPED")
			.withDetail("shards", this.worker.shards())
			.withDetail("failedRounds", this.worker.consecutiveFailures())
			.withDetail("notReady", this.worker.consecutiveMisses());
		if (!this.worker.isRunning()) {
			builder.unknown();
		}
		else if (this.worker.consecutiveFailures() >= MANY_FAILURES
				|| this.worker.consecutiveMisses() >= MANY_FAILURES) {
			builder.down().withDetail("reason", "the last rounds failed; see the log");
			return;
		}
		else {
			builder.up();
		}
		builder.withDetails(details(this.perspectives.status()));
	}

	private static Map<String, Object> details(List<PerspectiveStatus> runs) {
		Map<String, Object> details = new LinkedHashMap<>();
		for (PerspectiveStatus run : runs) {
			Map<String, Object> figures = new LinkedHashMap<>();
			figures.put("behind", run.behind());
			figures.put("retrying", run.retrying());
			figures.put("dead", run.dead());
			figures.put("paused", run.paused());
			details.put(run.run().name() + ((run.state() == State.BUILDING) ? " (building)" : ""), figures);
		}
		return details;
	}

}
