package io.whizbang.autoconfigure.health;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
 * stopped, is worth a detail but no reason to be down, unless somebody has set a limit:
 * restarting would not help.
 */
final class PerspectiveHealthIndicator extends AbstractHealthIndicator {

	private final PerspectiveWorker worker;

	private final Perspectives perspectives;

	private final PerspectiveHandlers handlers;

	private final HealthProperties limits;

	PerspectiveHealthIndicator(PerspectiveWorker worker, Perspectives perspectives, PerspectiveHandlers handlers,
			HealthProperties limits) {
		super("The status of perspectives could not be told");
		this.worker = worker;
		this.perspectives = perspectives;
		this.handlers = handlers;
		this.limits = limits;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		if (this.handlers.isEmpty()) {
			builder.up().withDetail("state", "UNUSED");
			return;
		}
		builder.withDetail("state", this.worker.state().toUpperCase(Locale.ROOT))
			.withDetail("shards", this.worker.shards())
			.withDetail("failedRounds", this.worker.consecutiveFailures())
			.withDetail("notReady", this.worker.consecutiveMisses());
		if (!this.worker.isRunning()) {
			builder.unknown();
		}
		else if (this.worker.consecutiveFailures() >= this.limits.maxFailedRounds()
				|| this.worker.consecutiveMisses() >= this.limits.maxFailedRounds()) {
			builder.down().withDetail("reason", "the last rounds failed; see the log");
			return;
		}
		else {
			builder.up();
		}
		List<PerspectiveStatus> runs = this.perspectives.status();
		builder.withDetails(details(runs));
		Long maxLag = this.limits.maxPerspectiveLag();
		if (maxLag != null && runs.stream().anyMatch((run) -> run.state() == State.SERVING && run.behind() > maxLag)) {
			builder.down().withDetail("reason", "a perspective is more than %d events behind".formatted(maxLag));
		}
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
