package io.whizbang.autoconfigure;

import java.time.Duration;

import io.whizbang.join.JoinSettings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of joins. They need the outbox.
 *
 * @param enabled Whether to enable joins.
 * @param keep Time that joins are kept that are closed.
 * @param worker How this instance counts what members report.
 */
@ConfigurationProperties("whizbang.joins")
public record JoinProperties(@DefaultValue("true") boolean enabled, @DefaultValue("7d") Duration keep,
		@DefaultValue Worker worker) {

	private static final String PREFIX = "whizbang.joins.";

	public JoinProperties {
		Requirement.notNegative(PREFIX + "keep", keep);
		Requirement.atLeast(PREFIX + "worker.batch-size", 1, worker.batchSize());
		Requirement.positive(PREFIX + "worker.poll-interval", worker.pollInterval());
	}

	JoinSettings toSettings() {
		return new JoinSettings(this.worker.batchSize(), this.worker.pollInterval(), this.keep);
	}

	/**
	 * How one instance counts what members report.
	 *
	 * @param enabled Whether this instance counts. Without it, that is left to other
	 * instances, which find reports of this one with their next look.
	 * @param batchSize Number of reports that are counted in one transaction.
	 * @param pollInterval Longest time between two looks for reports and deadlines that
	 * this instance has not heard of.
	 */
	public record Worker(@DefaultValue("true") boolean enabled, @DefaultValue("1000") int batchSize,
			@DefaultValue("30s") Duration pollInterval) {
	}

}
