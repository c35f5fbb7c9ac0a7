package io.whizbang.autoconfigure.health;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

import io.whizbang.fanout.FanoutTopic;
import io.whizbang.fanout.FanoutWorker;
import io.whizbang.fanout.Fanouts;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether planners are asked. One that fails, or that nobody has, is worth a detail
 * but no reason to be down: restarting would not help.
 */
final class FanoutHealthIndicator extends AbstractHealthIndicator {

	private static final int MANY_TOPICS = 20;

	private final FanoutWorker worker;

	private final Fanouts fanouts;

	private final HealthProperties limits;

	FanoutHealthIndicator(FanoutWorker worker, Fanouts fanouts, HealthProperties limits) {
		super("The status of fan-outs could not be told");
		this.worker = worker;
		this.fanouts = fanouts;
		this.limits = limits;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		String state = !this.worker.hasPlanners() ? "NO_PLANNERS" : this.worker.state().toUpperCase(Locale.ROOT);
		builder.withDetail("state", state)
			.withDetail("running", this.worker.running())
			.withDetail("failedRounds", this.worker.consecutiveFailures());
		if (this.worker.consecutiveFailures() >= this.limits.maxFailedRounds()) {
			builder.down().withDetail("reason", "the last rounds failed; see the log");
			return;
		}
		if (state.equals("STOPPED")) {
			builder.unknown();
		}
		else {
			builder.up();
		}
		List<FanoutTopic> all = this.fanouts.list();
		builder.withDetail("fanouts", all.size())
			.withDetail("failing", topics(all, FanoutTopic::isFailing))
			.withDetail("wrongCandidates", topics(all, (fanout) -> !fanout.isFailing() && fanout.problem() != null))
			.withDetail("missingPlanners", topics(all, FanoutTopic::isPlannerMissing));
	}

	private static List<String> topics(List<FanoutTopic> fanouts, Predicate<FanoutTopic> which) {
		return fanouts.stream().filter(which).map(FanoutTopic::topic).limit(MANY_TOPICS).toList();
	}

}
