package io.whizbang.outbox;

import java.util.Collection;
import java.util.List;

import io.whizbang.message.MessageId;

/**
 * Sends messages that exist if and only if the current transaction commits. Outside a
 * transaction each call is one of its own.
 * <p>
 * The payload is written as JSON at once, so later changes of the object do not matter.
 */
public interface Outbox {

	/**
	 * Enqueues a message that needs no order.
	 * @param topic where it goes
	 * @param payload what it says
	 * @return its identity
	 */
	default MessageId enqueue(String topic, Object payload) {
		return enqueue(OutboxMessage.to(topic, payload).build());
	}

	/**
	 * Enqueues a message of a stream: those with the same key are delivered in commit
	 * order.
	 * @param topic where it goes
	 * @param streamKey what it is ordered by
	 * @param payload what it says
	 * @return its identity
	 */
	default MessageId enqueue(String topic, String streamKey, Object payload) {
		return enqueue(OutboxMessage.to(topic, payload).stream(streamKey).build());
	}

	/**
	 * Enqueues a message.
	 * @param message the message
	 * @return its identity
	 */
	default MessageId enqueue(OutboxMessage message) {
		return enqueueAll(List.of(message)).get(0);
	}

	/**
	 * Enqueues messages, all or none of them.
	 * @param messages the messages, in order
	 * @return their identities, in the same order
	 */
	List<MessageId> enqueueAll(Collection<OutboxMessage> messages);

}
