package io.whizbang.event;

import java.util.Map;

import io.whizbang.handler.TopicPatterns;
import org.jspecify.annotations.Nullable;

/**
 * Says which events are published, and where.
 */
@FunctionalInterface
public interface EventTopics {

	/** No event is published. */
	EventTopics NONE = (type) -> null;

	/**
	 * Returns the topic of the outbox that events of a type go to.
	 * @param type name of the event type
	 * @return the topic, or {@code null} when they are not published
	 */
	@Nullable String topic(String type);

	/**
	 * Returns topics by event type.
	 * @param topics topics by name of the type, or by pattern with {@code *}; a name wins
	 * over patterns, and then the one with the most letters
	 * @return the topics
	 */
	static EventTopics of(Map<String, String> topics) {
		return topics.isEmpty() ? NONE : new TopicPatterns<>(Map.copyOf(topics))::find;
	}

}
