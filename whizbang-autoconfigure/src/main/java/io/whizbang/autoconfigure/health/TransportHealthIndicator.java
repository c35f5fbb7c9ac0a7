package io.whizbang.autoconfigure.health;

import java.util.function.Supplier;

import io.whizbang.transport.TransportStatus;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells whether a broker can be reached. When it cannot, the application still does its
 * work and the outbox keeps the messages, so its state is unknown and not down: a load
 * balancer or an orchestrator that took the application away would make it worse.
 */
final class TransportHealthIndicator extends AbstractHealthIndicator {

	private final Supplier<TransportStatus> status;

	TransportHealthIndicator(Supplier<TransportStatus> status) {
		super("The status of the transport could not be told");
		this.status = status;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		TransportStatus transport = this.status.get();
		if (transport.unreachableFor() == null) {
			builder.up();
			return;
		}
		builder.unknown()
			.withDetail("unreachableFor", transport.unreachableFor().toSeconds() + " s")
			.withDetail("reason", String.valueOf(transport.reason()));
	}

}
