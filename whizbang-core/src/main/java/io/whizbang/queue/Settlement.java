package io.whizbang.queue;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of a batch, or of a part of it.
 *
 * @param batch the batch
 * @param keep whether the lock stays, because more of the batch is to come
 * @param delay how long the key waits; {@code null} when it goes to the end of the line
 * @param failure why it was given back, or {@code null} when nothing has failed
 * @param alone whether its messages are to come one by one because of the failure
 * @param done numbers of messages that are done
 * @param blamed numbers of messages whose try counts
 * @param dead messages that go to the dead letters
 */
record Settlement(QueueBatch batch, boolean keep, @Nullable Duration delay, @Nullable String failure, boolean alone,
		List<Long> done, List<Long> blamed, List<Dead> dead) {

	static Settlement done(QueueBatch batch) {
		return new Settlement(batch, false, null, null, false, numbers(batch), List.of(), List.of());
	}

	/** A part is done, and the lock stays. */
	static Settlement progress(QueueBatch batch, List<Long> done) {
		return new Settlement(batch, true, null, null, false, done, List.of(), List.of());
	}

	/** The batch goes back as if it had never been taken. */
	static Settlement unused(QueueBatch batch, @Nullable Duration delay) {
		return new Settlement(batch, false, delay, null, false, List.of(), List.of(), List.of());
	}

	static Settlement failed(QueueBatch batch, @Nullable Duration delay, String failure) {
		return new Settlement(batch, false, delay, failure, false, List.of(), numbers(batch), List.of());
	}

	/** Something in the batch can never succeed, and nobody knows what. */
	static Settlement alone(QueueBatch batch, String failure) {
		return new Settlement(batch, false, null, failure, true, List.of(), List.of(), List.of());
	}

	/** Whether it has failed, and nobody knows because of which message. */
	boolean isRiddle() {
		return this.failure != null && (this.alone || this.blamed.size() > 1);
	}

	static Settlement dead(QueueBatch batch, String reason, String error) {
		return new Settlement(batch, false, null, null, false, List.of(), List.of(),
				numbers(batch).stream().map((number) -> new Dead(number, reason, error)).toList());
	}

	private static List<Long> numbers(QueueBatch batch) {
		return batch.messages().stream().map(QueuedMessage::number).toList();
	}

	/**
	 * A message that goes to the dead letters.
	 *
	 * @param number its number
	 * @param reason one of a few fixed words
	 * @param error why, for people
	 */
	record Dead(long number, String reason, String error) {
	}

}
