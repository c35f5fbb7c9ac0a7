package io.whizbang.letter;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.whizbang.message.Envelope;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What will not be tried again, with all that is known about it. It has either a message
 * or raw bytes.
 *
 * @param id its number
 * @param queue the queue that it was in or meant for
 * @param source where it came from; the queue's name for a message of this application
 * @param reason why it is dead, in a word
 * @param attempts how often it failed
 * @param error the last error with its stack trace, or {@code null}
 * @param diedAt when it died
 * @param instance who tried it last, or {@code null}
 * @param headers what travelled beside the payload
 * @param message the message, or {@code null} when it never was one
 * @param raw what came, byte for byte; empty when it is a message
 * @param history earlier deaths of the message, each with who replayed it then, oldest
 * first
 */
public record DeadLetter(long id, Queue queue, String source, String reason, int attempts, @Nullable String error,
		Instant diedAt, @Nullable UUID instance, Map<String, String> headers, @Nullable Envelope message, byte[] raw,
		List<AuditEntry> history) {

	public DeadLetter {
		headers = Map.copyOf(headers);
		history = List.copyOf(history);
	}

	DeadLetter withHistory(List<AuditEntry> history) {
		return new DeadLetter(this.id, this.queue, this.source, this.reason, this.attempts, this.error, this.diedAt,
				this.instance, this.headers, this.message, this.raw, history);
	}

}
