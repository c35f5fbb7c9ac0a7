package io.whizbang.autoconfigure.health;

import io.whizbang.join.JdbcJoinStore;
import io.whizbang.join.JoinCount;
import io.whizbang.join.JoinId;
import io.whizbang.join.JoinWorker;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether members of joins are counted. A join whose follow-up is refused is worth
 * a detail but no reason to be down: restarting would not help.
 */
final class JoinHealthIndicator extends AbstractHealthIndicator {

	private static final int MANY = 1000;

	private static final int MANY_STUCK = 20;

	private final JoinWorker worker;

	private final JdbcJoinStore store;

	private final HealthProperties limits;

	JoinHealthIndicator(JoinWorker worker, JdbcJoinStore store, HealthProperties limits) {
		super("The status of joins could not be told");
		this.worker = worker;
		this.store = store;
		this.limits = limits;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.withDetail("state", this.worker.isRunning() ? "RUNNING" : "STOPPED")
			.withDetail("failedRounds", this.worker.consecutiveFailures());
		if (this.worker.consecutiveFailures() >= this.limits.maxFailedRounds()) {
			builder.down().withDetail("reason", "the last rounds failed; see the log");
			return;
		}
		if (this.worker.isRunning()) {
			builder.up();
		}
		else {
			builder.unknown();
		}
		JoinCount count = this.store.count(MANY);
		builder.withDetail("open", count.open())
			.withDetail("uncounted", count.reports())
			.withDetail("stuck",
					this.worker.stuck().stream().map(JoinId::toString).sorted().limit(MANY_STUCK).toList());
	}

}
