package io.whizbang.letter;

import java.time.Instant;

import io.whizbang.message.MessageId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Who decided what about a dead letter, and what the letter was.
 *
 * @param id the entry's number
 * @param action what was done
 * @param at when
 * @param by who, and why
 * @param letterId the letter's number
 * @param queue the letter's queue
 * @param source where it had come from; the queue's name for a message of this
 * application
 * @param messageId the message, or {@code null} when it never was one
 * @param topic the message's topic, or {@code null} when it never was one
 * @param reason why it was dead
 * @param attempts how often it had failed
 * @param error its last error, or {@code null}
 * @param createdAt when the message had been enqueued
 * @param diedAt when it had died
 */
public record AuditEntry(long id, Action action, Instant at, Operator by, long letterId, Queue queue, String source,
		@Nullable MessageId messageId, @Nullable String topic, String reason, int attempts, @Nullable String error,
		Instant createdAt, Instant diedAt) {

	/**
	 * What can be done about a dead letter.
	 */
	public enum Action {

		/** Its message went to the end of its stream. */
		REPLAYED,

		/** It was removed for good. */
		DISCARDED

	}

}
