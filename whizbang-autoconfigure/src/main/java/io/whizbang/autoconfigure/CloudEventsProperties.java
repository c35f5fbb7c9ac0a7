package io.whizbang.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How messages are written for brokers.
 *
 * @param source Name of the sender in messages to brokers, the attribute 'source' of
 * CloudEvents. Uses '/' and the service name if not set.
 */
@ConfigurationProperties("whizbang.cloud-events")
public record CloudEventsProperties(@Nullable String source) {

}
