package io.whizbang.control;

import java.time.Instant;
import java.util.UUID;

import io.whizbang.message.MessageId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A stream whose first message waits, and so do all behind it; or a single message that
 * waits.
 *
 * @param queue its queue
 * @param seq place of the first message in the queue
 * @param stream the stream's key, or {@code null} when the message has none
 * @param messageId identity of the first message
 * @param topic its topic
 * @param type its type
 * @param attempts how often it has failed
 * @param error why it failed last, or {@code null} when it has not
 * @param createdAt when it was enqueued
 * @param due when it may be tried again
 * @param isDue whether that time has come
 * @param behind how many wait behind it, counted up to {@link #MAX_BEHIND}
 * @param holder who has it in work, or {@code null} when nobody has
 */
public record BlockedStream(Queue queue, long seq, @Nullable String stream, MessageId messageId, String topic,
		String type, int attempts, @Nullable String error, Instant createdAt, Instant due, boolean isDue, int behind,
		@Nullable Holder holder) {

	/** Nobody counts a long line to the end. */
	public static final int MAX_BEHIND = 1000;

	/**
	 * Tells why the stream does not move.
	 * @return the reason
	 */
	public Reason reason() {
		if (this.holder != null) {
			return Reason.IN_WORK;
		}
		return this.isDue ? Reason.UNCLAIMED : Reason.WAITS_FOR_RETRY;
	}

	/**
	 * Who has a message in work.
	 *
	 * @param instance the instance
	 * @param process its host and process, or {@code null} when it is not registered any
	 * more
	 * @param leaseExpiry until when
	 */
	public record Holder(UUID instance, @Nullable String process, Instant leaseExpiry) {
	}

	/** Why a stream does not move. */
	public enum Reason {

		/** Its first message has failed, and its next attempt is not due yet. */
		WAITS_FOR_RETRY,

		/** An instance has its first message in work. */
		IN_WORK,

		/** Its first message is due, and no instance has claimed it. */
		UNCLAIMED

	}

}
