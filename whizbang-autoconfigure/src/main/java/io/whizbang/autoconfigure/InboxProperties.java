package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import io.whizbang.inbox.InboxSettings;
import io.whizbang.inbox.InboxSettings.Unhandled;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the inbox.
 *
 * @param enabled Whether to enable the inbox.
 * @param deduplication How received messages are remembered.
 * @param unhandled What becomes of messages that no receptor takes.
 * @param unhandledDelay Time after which a message that no receptor takes is looked at
 * again.
 * @param retry When a failed message is tried again.
 * @param topicRetries What differs from that for single topics, or for patterns with '*'.
 * @param worker How this instance handles messages. It works only when the application
 * has receptors.
 */
@ConfigurationProperties("whizbang.inbox")
public record InboxProperties(@DefaultValue("true") boolean enabled, @DefaultValue Deduplication deduplication,
		@DefaultValue("keep") Unhandled unhandled, @DefaultValue("30s") Duration unhandledDelay,
		@NestedConfigurationProperty @DefaultValue RetryProperties retry,
		@DefaultValue Map<String, RetryOverride> topicRetries,
		@NestedConfigurationProperty @DefaultValue WorkerProperties worker) {

	private static final String PREFIX = "whizbang.inbox.";

	public InboxProperties {
		Requirement.positive(PREFIX + "unhandled-delay", unhandledDelay);
		if (deduplication.retention() != null) {
			Requirement.positive(PREFIX + "deduplication.retention", deduplication.retention());
		}
		retry.check(PREFIX + "retry.");
		worker.check(PREFIX + "worker.");
		topicRetries.forEach((topic, override) -> override.over(retry).check(PREFIX + "topic-retries[" + topic + "]."));
	}

	InboxSettings toSettings(MessageProperties messages) {
		Map<String, RetryPolicy> policies = this.topicRetries.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().over(this.retry).toPolicy()));
		return new InboxSettings(this.deduplication.retention(), this.unhandled, this.unhandledDelay,
				this.retry.toPolicy(), policies, messages.maxPayloadSize().toBytes());
	}

	/**
	 * How received messages are remembered.
	 *
	 * @param retention Time after which a received message is forgotten, so that another
	 * one with the same identity counts as new. Messages are remembered for ever if not
	 * set.
	 */
	public record Deduplication(@Nullable Duration retention) {
	}

}
