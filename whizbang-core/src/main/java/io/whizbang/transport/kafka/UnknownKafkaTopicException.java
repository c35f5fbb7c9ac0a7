package io.whizbang.transport.kafka;

/**
 * A message to a topic that the brokers do not have.
 */
public class UnknownKafkaTopicException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnknownKafkaTopicException(String name, Throwable cause) {
		super(("The Kafka brokers have no topic \"%s\"; create it, let them create topics by themselves, "
				+ "or name another one in whizbang.kafka.topics")
			.formatted(name), cause);
	}

}
