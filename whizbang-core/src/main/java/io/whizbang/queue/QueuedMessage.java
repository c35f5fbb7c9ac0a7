package io.whizbang.queue;

import io.whizbang.message.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * A message as a consumer gets it.
 *
 * @param number its place in the queue
 * @param attempt which try this is, from 1; tries that ended in a crash count
 * @param lastError why the try before failed, or {@code null}
 * @param envelope the message; its topic is the name of the queue, its stream the routing
 * key
 */
public record QueuedMessage(long number, int attempt, @Nullable String lastError, Envelope envelope) {
}
