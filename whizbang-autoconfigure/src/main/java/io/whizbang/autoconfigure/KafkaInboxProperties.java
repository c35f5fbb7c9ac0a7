package io.whizbang.autoconfigure;

import java.util.List;

import io.whizbang.transport.kafka.KafkaSubscription;
import io.whizbang.transport.kafka.KafkaSubscription.OffsetReset;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * What the inbox receives from Kafka. Brokers, security and everything else about
 * consumers comes from 'spring.kafka'.
 *
 * @param listeners What is received. Each has topics and, if they differ from the
 * defaults, a group-id, a concurrency, a source and an offset-reset.
 */
@ConfigurationProperties("whizbang.inbox.kafka")
public record KafkaInboxProperties(@DefaultValue List<Listener> listeners) {

	private static final String PREFIX = "whizbang.inbox.kafka.listeners[";

	public KafkaInboxProperties {
		for (int i = 0; i < listeners.size(); i++) {
			listeners.get(i).check(PREFIX + i + "].");
		}
	}

	List<KafkaSubscription> toSubscriptions(String serviceName) {
		return this.listeners.stream().map((listener) -> listener.toSubscription(serviceName)).toList();
	}

	/**
	 * Topics that are received in one consumer group.
	 *
	 * @param topics Topics to receive.
	 * @param groupId Consumer group. The name of the service if not set.
	 * @param concurrency Number of consumers in each instance.
	 * @param source Name within which the records' identities are unique. One per topic,
	 * 'kafka:' and its name, if not set.
	 * @param offsetReset Where a group that never read a partition begins.
	 */
	public record Listener(@DefaultValue List<String> topics, @Nullable String groupId,
			@DefaultValue("1") int concurrency, @Nullable String source,
			@DefaultValue("earliest") OffsetReset offsetReset) {

		private void check(String prefix) {
			Assert.notEmpty(this.topics, () -> prefix + "topics must not be empty");
			Assert.isTrue(this.groupId == null || !this.groupId.isBlank(),
					() -> prefix + "group-id must not be blank but is '" + this.groupId + "'");
			Assert.isTrue(this.source == null || !this.source.isBlank(),
					() -> prefix + "source must not be blank but is '" + this.source + "'");
			Requirement.atLeast(prefix + "concurrency", 1, this.concurrency);
		}

		private KafkaSubscription toSubscription(String serviceName) {
			return new KafkaSubscription(this.topics, (this.groupId != null) ? this.groupId : serviceName,
					this.concurrency, this.source, this.offsetReset);
		}

	}

}
