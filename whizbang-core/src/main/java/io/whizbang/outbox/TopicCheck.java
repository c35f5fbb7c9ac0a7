package io.whizbang.outbox;

/**
 * Decides at enqueue whether messages to a topic are accepted.
 */
@FunctionalInterface
public interface TopicCheck {

	/** Accepts every topic. */
	TopicCheck NONE = (topic) -> {
	};

	/**
	 * Refuses a topic.
	 * @param topic the topic
	 * @throws UnroutableTopicException when nobody takes messages to this topic
	 */
	void check(String topic);

}
