package io.whizbang.perspective;

import java.time.Instant;

import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * A stream that has stopped in a perspective.
 *
 * @param run the run that it has stopped in
 * @param stream the stream
 * @param version version of the last event that was applied or passed
 * @param dead whether it has stopped for good, or waits for its next try
 * @param attempts how often it has failed
 * @param nextAttemptAt when it is tried again, or {@code null}
 * @param error why it has stopped, or {@code null} when it is just being replayed
 * @param failedAt when it failed the last time, or {@code null}
 */
public record StoppedStream(PerspectiveRun run, StreamId stream, long version, boolean dead, int attempts,
		@Nullable Instant nextAttemptAt, @Nullable String error, @Nullable Instant failedAt) {

}
