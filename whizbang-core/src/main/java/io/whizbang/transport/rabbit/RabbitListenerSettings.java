package io.whizbang.transport.rabbit;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Queues to receive from, and how.
 *
 * @param queues names of the queues
 * @param source where the messages come from, the same for all queues, or {@code null}
 * for {@code rabbit:} and the name of each queue; an identity is unique within it
 * @param topic topic that the messages get, or {@code null} for the name of their queue
 * @param concurrency number of consumers; more than one lose the order of arrival
 * @param prefetch number of messages that a consumer may hold at once
 * @param batchSize number of messages that are stored at once
 * @param missingId what happens to messages that have no identity
 */
public record RabbitListenerSettings(List<String> queues, @Nullable String source, @Nullable String topic,
		int concurrency, int prefetch, int batchSize, MissingId missingId) {

	/** What stands before the name of a queue in the source of its messages. */
	public static final String SOURCE_PREFIX = "rabbit:";

	public RabbitListenerSettings {
		queues = List.copyOf(queues);
		Assert.notEmpty(queues, "A listener needs at least one queue");
		Assert.isTrue(concurrency > 0, () -> "concurrency must be above 0 but is " + concurrency);
		Assert.isTrue(batchSize > 0, () -> "batchSize must be above 0 but is " + batchSize);
		Assert.isTrue(prefetch >= batchSize,
				() -> "prefetch must not be below batchSize (" + batchSize + ") but is " + prefetch);
	}

	/**
	 * Returns one consumer that stores up to 100 messages at once and holds up to 250.
	 * @param queues names of the queues
	 * @return the settings
	 */
	public static RabbitListenerSettings of(String... queues) {
		return new RabbitListenerSettings(List.of(queues), null, null, 1, 250, 100, MissingId.ACCEPT);
	}

	String sourceOf(String queue) {
		return (this.source != null) ? this.source : SOURCE_PREFIX + queue;
	}

	String topicOf(String queue) {
		return (this.topic != null) ? this.topic : queue;
	}

	/** What happens to messages that have no identity. */
	public enum MissingId {

		/**
		 * They are received under a new identity. Nothing is lost, but what the broker
		 * delivers twice is handled twice.
		 */
		ACCEPT,

		/** They go to the dead letters. */
		REFUSE

	}

}
