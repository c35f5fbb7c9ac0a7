package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.OutboxSettings.Ordering;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of the outbox.
 *
 * @param enabled Whether to enable the outbox.
 * @param ordering What is kept between transactions that enqueue to the same stream.
 * @param strictTopics Whether messages to topics that nobody takes are refused when they
 * are enqueued, instead of waiting for somebody to take them.
 * @param routes Names of transports by topic, or by pattern with '*'. The name 'handlers'
 * stands for the application's own handlers.
 * @param unroutableDelay Time that a message waits when nobody takes its topic.
 * @param unreachableDelay Time that a message waits when its transport cannot be reached.
 * @param retry When a failed delivery is tried again.
 * @param topicRetries What differs from that for single topics, or for patterns with '*'.
 * @param eventSource Who sends, as the CloudEvents attribute 'source' of messages to
 * brokers. A slash and the name of the service if not set.
 * @param worker How this instance delivers.
 */
@ConfigurationProperties("whizbang.outbox")
public record OutboxProperties(@DefaultValue("true") boolean enabled, @DefaultValue("strict") Ordering ordering,
		@DefaultValue("false") boolean strictTopics, @DefaultValue Map<String, String> routes,
		@DefaultValue("30s") Duration unroutableDelay, @DefaultValue("5s") Duration unreachableDelay,
		@NestedConfigurationProperty @DefaultValue RetryProperties retry,
		@DefaultValue Map<String, RetryOverride> topicRetries, @Nullable String eventSource,
		@NestedConfigurationProperty @DefaultValue WorkerProperties worker) {

	private static final String PREFIX = "whizbang.outbox.";

	public OutboxProperties {
		Assert.isTrue(eventSource == null || !eventSource.isBlank(),
				() -> PREFIX + "event-source must not be blank but is '" + eventSource + "'");
		Requirement.positive(PREFIX + "unroutable-delay", unroutableDelay);
		Requirement.positive(PREFIX + "unreachable-delay", unreachableDelay);
		retry.check(PREFIX + "retry.");
		worker.check(PREFIX + "worker.");
		topicRetries.forEach((topic, override) -> override.over(retry).check(PREFIX + "topic-retries[" + topic + "]."));
	}

	OutboxSettings toSettings() {
		Map<String, RetryPolicy> policies = this.topicRetries.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().over(this.retry).toPolicy()));
		return new OutboxSettings(this.ordering, this.strictTopics, this.routes, this.retry.toPolicy(), policies,
				this.unroutableDelay, this.unreachableDelay);
	}

}
