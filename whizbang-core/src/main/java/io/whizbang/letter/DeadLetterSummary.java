package io.whizbang.letter;

import java.time.Instant;

import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as a list shows it.
 *
 * @param id its number
 * @param queue the queue that it was in or meant for
 * @param source where it came from; the queue's name for a message of this application
 * @param reason why it is dead, in a word
 * @param attempts how often it failed
 * @param error first line of the last error, or {@code null}
 * @param diedAt when it died
 * @param replays how often the message was replayed before, and died again
 * @param messageId identity of the message, or {@code null} when it never was one
 * @param topic the message's topic, or {@code null} when it never was one
 * @param type name of the payload's type, or {@code null} when it never was a message
 * @param stream the message's stream, or {@code null}
 */
public record DeadLetterSummary(long id, Queue queue, String source, String reason, int attempts,
		@Nullable String error, Instant diedAt, int replays, @Nullable MessageId messageId, @Nullable String topic,
		@Nullable String type, @Nullable StreamId stream) {
}
