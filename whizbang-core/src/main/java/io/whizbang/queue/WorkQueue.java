package io.whizbang.queue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.whizbang.message.MessageId;

/**
 * Queues of work that are shared by routing key. While somebody has a key, nobody else
 * gets any message of it, also not one that arrives meanwhile. Messages of a key come in
 * the order of the commits that enqueued them; messages without one come singly.
 * <p>
 * Enqueueing is part of the current transaction; outside of one, each call is a
 * transaction of its own. So are {@link #ack}, {@link #abandon} and {@link #fail}: what a
 * consumer writes and the end of its batch can commit together. Dequeueing and renewing
 * are transactions of their own, always.
 */
public interface WorkQueue {

	/**
	 * Enqueues a message without a routing key.
	 * @param queue name of the queue
	 * @param payload what it says
	 * @return its identity
	 */
	default MessageId enqueue(String queue, Object payload) {
		return enqueue(QueueMessage.to(queue, payload).build());
	}

	/**
	 * Enqueues a message.
	 * @param queue name of the queue
	 * @param key its routing key
	 * @param payload what it says
	 * @return its identity
	 */
	default MessageId enqueue(String queue, String key, Object payload) {
		return enqueue(QueueMessage.to(queue, payload).key(key).build());
	}

	/**
	 * Enqueues a message.
	 * @param message the message
	 * @return its identity
	 */
	default MessageId enqueue(QueueMessage message) {
		return enqueueAll(List.of(message)).get(0);
	}

	/**
	 * Enqueues messages, all or none of them.
	 * @param messages the messages, in order
	 * @return their identities, in the same order
	 */
	List<MessageId> enqueueAll(Collection<QueueMessage> messages);

	/**
	 * Takes the messages of the key that waits longest, and locks it for the time that is
	 * configured.
	 * @param queue name of the queue
	 * @return the messages of a key, or a single one that has none; nothing when there is
	 * no message that nobody has. Returns at once
	 */
	Optional<QueueBatch> dequeueBatch(String queue);

	/**
	 * Takes the messages of the key that waits longest.
	 * @param queue name of the queue
	 * @param lock how long the key is locked, unless that is renewed
	 * @return the messages, or nothing
	 */
	Optional<QueueBatch> dequeueBatch(String queue, Duration lock);

	/**
	 * Says that all messages of a batch are done: they go away, and others may have the
	 * key.
	 * @param batch the batch
	 * @throws QueueLockLostException when the lock is over; nothing has changed then
	 */
	void ack(QueueBatch batch);

	/**
	 * Gives a batch back; the attempt counts.
	 * @param batch the batch
	 * @param delay how long its key waits
	 * @throws QueueLockLostException when the lock is over
	 */
	default void abandon(QueueBatch batch, Duration delay) {
		abandon(batch, delay, false);
	}

	/**
	 * Gives a batch back.
	 * @param batch the batch
	 * @param delay how long its key waits
	 * @param ignoreAttempt whether the attempt does not count, because it was none
	 * @throws QueueLockLostException when the lock is over
	 */
	void abandon(QueueBatch batch, Duration delay, boolean ignoreAttempt);

	/**
	 * Has all messages of a batch go to the dead letters: they will never succeed.
	 * @param batch the batch
	 * @param error why, for people
	 * @throws QueueLockLostException when the lock is over
	 */
	void fail(QueueBatch batch, String error);

	/**
	 * Keeps the key of a batch locked for longer.
	 * @param batch the batch
	 * @param lock how long from now
	 * @throws QueueLockLostException when the lock is over already
	 */
	void renew(QueueBatch batch, Duration lock);

}
