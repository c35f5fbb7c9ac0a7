package io.whizbang.autoconfigure.health;

import io.whizbang.lease.JdbcLeases;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells how many leases this instance holds. It is always up: renewals fail when the
 * database is away, which others tell, and a lease that is lost is its holder's business.
 */
final class LeaseHealthIndicator extends AbstractHealthIndicator {

	private final JdbcLeases leases;

	LeaseHealthIndicator(JdbcLeases leases) {
		this.leases = leases;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up()
			.withDetail("held", this.leases.held())
			.withDetail("failedRenewals", this.leases.consecutiveFailures());
	}

}
