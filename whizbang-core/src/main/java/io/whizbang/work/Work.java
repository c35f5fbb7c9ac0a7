package io.whizbang.work;

import java.util.UUID;

import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * One claimed message.
 *
 * @param claim the batch that it was claimed with
 * @param seq its place in the queue
 * @param attempts how often it has failed so far; 0 at the first delivery
 * @param lastError why it failed the last time, or {@code null}
 * @param envelope the message
 */
public record Work(Claim claim, long seq, int attempts, @Nullable String lastError, Envelope envelope) {

	/**
	 * Returns what this work is ordered by.
	 * @return the stream, or {@code null} when it may run beside any other work
	 */
	public @Nullable UUID stream() {
		StreamId stream = this.envelope.stream();
		return (stream != null) ? stream.value() : null;
	}

	/**
	 * Hashes the place alone: it tells messages of a queue apart, and the payload would
	 * be read for nothing whenever work is a key.
	 */
	@Override
	public int hashCode() {
		return Long.hashCode(this.seq);
	}

}
