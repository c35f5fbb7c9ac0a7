package io.whizbang.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.Assert;

/**
 * How messages are written for brokers.
 *
 * @param source Name of the sender in messages to brokers, the attribute 'source' of
 * CloudEvents. Uses '/' and the service name if not set.
 */
@ConfigurationProperties("whizbang.cloud-events")
public record CloudEventsProperties(@Nullable String source) {

	public CloudEventsProperties {
		Assert.isTrue(source == null || !source.isBlank(),
				() -> "whizbang.cloud-events.source must not be blank but is '" + source + "'");
	}

}
