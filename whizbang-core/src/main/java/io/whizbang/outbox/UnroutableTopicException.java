package io.whizbang.outbox;

/**
 * A message was refused because nobody takes its topic.
 */
public class UnroutableTopicException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	public UnroutableTopicException(String message) {
		super(message);
	}

}
