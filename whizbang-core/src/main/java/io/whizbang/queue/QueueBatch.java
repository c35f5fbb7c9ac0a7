package io.whizbang.queue;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Messages that one consumer has, and the lock that proves it.
 *
 * @param queue name of the queue
 * @param key their routing key, or {@code null} for a single message that has none
 * @param keyId what the database knows the key by
 * @param token proves that the lock is the consumer's; another one for every batch
 * @param messages the messages, in order
 */
public record QueueBatch(String queue, @Nullable String key, UUID keyId, UUID token, List<QueuedMessage> messages) {

	public QueueBatch {
		messages = List.copyOf(messages);
		Assert.notEmpty(messages, () -> "A batch of the queue \"%s\" has no messages".formatted(queue));
	}

	/** The batch in a few words, for people. */
	String description() {
		return (this.key != null) ? "key \"%s\" of the queue \"%s\"".formatted(this.key, this.queue)
				: "message %s of the queue \"%s\"".formatted(this.messages.get(0).envelope().id(), this.queue);
	}

}
