package io.whizbang.handler;

import java.util.Set;

import io.whizbang.work.Queue;

/**
 * Knows the topics of a queue whose messages wait because nobody takes them.
 */
public interface TopicWatch {

	/**
	 * Returns the queue.
	 * @return the queue
	 */
	Queue queue();

	/**
	 * Returns the topics whose messages wait because nobody takes them.
	 * @return the topics, none when all is well
	 */
	Set<String> unroutableTopics();

}
