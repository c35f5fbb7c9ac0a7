package io.whizbang.autoconfigure;

import java.util.List;

import io.whizbang.transport.rabbit.RabbitListenerSettings;
import io.whizbang.transport.rabbit.RabbitListenerSettings.MissingId;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * What the inbox receives from RabbitMQ. The server, security and everything else about
 * connections comes from 'spring.rabbitmq'.
 *
 * @param listeners What is received. Each has queues and, if they differ from the
 * defaults, a source, a topic, a concurrency, a prefetch, a batch-size and a missing-id.
 */
@ConfigurationProperties("whizbang.inbox.rabbit")
public record RabbitInboxProperties(@DefaultValue List<Listener> listeners) {

	public RabbitInboxProperties {
		for (int i = 0; i < listeners.size(); i++) {
			listeners.get(i).check("whizbang.inbox.rabbit.listeners[%d].".formatted(i));
		}
	}

	List<RabbitListenerSettings> toSettings() {
		return this.listeners.stream().map(Listener::toSettings).toList();
	}

	/**
	 * Queues, and how to receive from them.
	 *
	 * @param queues Comma-separated list of the names of queues.
	 * @param source Where the messages come from; an id is unique within it. Uses
	 * 'rabbit:' and the name of the queue if not set.
	 * @param topic Topic of the messages. Uses the name of the queue if not set.
	 * @param concurrency Number of consumers. More than one lose the order of arrival.
	 * @param prefetch Number of messages that a consumer may hold at once.
	 * @param batchSize Number of messages that are stored in one transaction.
	 * @param missingId What happens to messages that have no id.
	 */
	public record Listener(@DefaultValue List<String> queues, @Nullable String source, @Nullable String topic,
			@DefaultValue("1") int concurrency, @DefaultValue("250") int prefetch, @DefaultValue("100") int batchSize,
			@DefaultValue("accept") MissingId missingId) {

		private void check(String prefix) {
			Assert.notEmpty(this.queues, () -> prefix + "queues must not be empty");
			Assert.isTrue(this.source == null || !this.source.isBlank(),
					() -> prefix + "source must not be blank but is '" + this.source + "'");
			Assert.isTrue(this.topic == null || !this.topic.isBlank(),
					() -> prefix + "topic must not be blank but is '" + this.topic + "'");
			Requirement.atLeast(prefix + "concurrency", 1, this.concurrency);
			Requirement.atLeast(prefix + "batch-size", 1, this.batchSize);
			Requirement.atLeast(prefix + "prefetch", this.batchSize, this.prefetch);
		}

		private RabbitListenerSettings toSettings() {
			return new RabbitListenerSettings(this.queues, this.source, this.topic, this.concurrency, this.prefetch,
					this.batchSize, this.missingId);
		}

	}

}
