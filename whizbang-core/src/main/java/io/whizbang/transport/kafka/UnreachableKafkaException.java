package io.whizbang.transport.kafka;

/**
 * Brokers that cannot be reached or take nothing at present.
 */
public class UnreachableKafkaException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnreachableKafkaException(String brokers, Throwable cause) {
		super("Kafka at %s cannot be reached or takes no messages: %s".formatted(brokers, cause.getMessage()), cause);
	}

}
