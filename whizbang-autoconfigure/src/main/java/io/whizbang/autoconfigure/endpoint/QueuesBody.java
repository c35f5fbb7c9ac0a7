package io.whizbang.autoconfigure.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.queue.QueueKey;
import io.whizbang.queue.QueueStatus;
import org.jspecify.annotations.Nullable;

/**
 * How work queues stand, as JSON.
 *
 * @param queues the queues
 * @param keys keys of a queue that are locked or wait, where they were asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record QueuesBody(List<Body> queues, @Nullable List<Key> keys) {

	static QueuesBody of(List<QueueStatus> queues) {
		return new QueuesBody(queues.stream().map(Body::of).toList(), null);
	}

	static QueuesBody of(QueueStatus queue, List<QueueKey> keys) {
		return new QueuesBody(List.of(Body.of(queue)), keys.stream().map(Key::of).toList());
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Body(String name, int messages, int delayed, int readyKeys, int waitingKeys, int lockedKeys, int deadLetters,
			@Nullable Long oldestMillis, boolean paused, @Nullable Instant pausedAt, @Nullable String pausedBy) {

		static Body of(QueueStatus queue) {
			Duration oldest = queue.oldest();
			return new Body(queue.name(), queue.messages(), queue.delayed(), queue.ready(), queue.waiting(),
					queue.locked(), queue.deadLetters(), (oldest != null) ? oldest.toMillis() : null, queue.paused(),
					queue.pausedAt(), queue.pausedBy());
		}

	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Key(String id, @Nullable String key, boolean locked, int failures, Instant until, @Nullable Instant lockedAt,
			@Nullable String holder) {

		static Key of(QueueKey key) {
			return new Key(key.id().toString(), key.key(), key.locked(), key.failures(), key.until(), key.lockedAt(),
					key.holder());
		}

	}

}
