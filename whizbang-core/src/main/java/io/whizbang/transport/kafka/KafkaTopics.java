package io.whizbang.transport.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.whizbang.handler.TopicPatterns;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's names of topics, and which of them the brokers do not know.
 */
final class KafkaTopics {

	/**
	 * Asking for a topic that does not exist takes the producer's whole patience, so it
	 * is not asked for with every message.
	 */
	private static final Duration MEMORY = Duration.ofSeconds(10);

	private final TopicPatterns<String> names;

	private final Map<String, Unknown> unknown = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	KafkaTopics(Map<String, String> names, LongSupplier nanoTime) {
		this.names = new TopicPatterns<>(names);
		this.nanoTime = nanoTime;
	}

	String name(String topic) {
		String name = this.names.find(topic);
		return (name != null) ? name : topic;
	}

	/**
	 * Remembers that the brokers do not know a topic.
	 * @param name Kafka's name
	 * @param cause what they said
	 * @return what to tell
	 */
	UnknownKafkaTopicException addUnknown(String name, Throwable cause) {
		UnknownKafkaTopicException failure = new UnknownKafkaTopicException(name, cause);
		this.unknown.put(name, new Unknown(failure, this.nanoTime.getAsLong()));
		return failure;
	}

	/**
	 * Returns why nothing can be sent to a topic.
	 * @param name Kafka's name
	 * @return the reason, or {@code null} when it is worth a try
	 */
	@Nullable UnknownKafkaTopicException unknown(String name) {
		Unknown known = this.unknown.isEmpty() ? null : this.unknown.get(name);
		if (known == null) {
			return null;
		}
		if (this.nanoTime.getAsLong() - known.since < MEMORY.toNanos()) {
			return known.failure;
		}
		this.unknown.remove(name, known);
		return null;
	}

	/**
	 * A topic that the brokers did not know.
	 *
	 * @param failure what to tell
	 * @param since when
	 */
	private record Unknown(UnknownKafkaTopicException failure, long since) {

	}

}
