package io.whizbang.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How long dead letters are kept.
 *
 * @param retention Time after which dead letters are discarded. They are kept for ever if
 * not set.
 * @param auditRetention Time after which it is forgotten who replayed and discarded dead
 * letters, and with it the earlier deaths of messages. Kept for ever if not set.
 */
@ConfigurationProperties("whizbang.dead-letters")
public record DeadLetterProperties(@Nullable Duration retention, @Nullable Duration auditRetention) {

	private static final String PREFIX = "whizbang.dead-letters.";

	public DeadLetterProperties {
		if (retention != null) {
			Requirement.positive(PREFIX + "retention", retention);
		}
		if (auditRetention != null) {
			Requirement.positive(PREFIX + "audit-retention", auditRetention);
		}
	}

}
