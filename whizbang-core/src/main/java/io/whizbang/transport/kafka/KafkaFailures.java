package io.whizbang.transport.kafka;

import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Tells what a failure is about: the message, or the brokers and the way to them.
 */
final class KafkaFailures {

	private KafkaFailures() {
	}

	/**
	 * Returns whether the brokers do not know the topic. The producer asks again until
	 * its patience ends, and tells why only as the cause.
	 */
	static boolean isUnknownTopic(Throwable failure) {
		return failure instanceof UnknownTopicOrPartitionException
				|| failure.getCause() instanceof UnknownTopicOrPartitionException;
	}

	/**
	 * Returns whether it is about the message or its topic, so that others may still be
	 * sent. Refused credentials are not: they would take every message to the dead
	 * letters. Neither is a producer that lost count of its records and begins anew.
	 */
	static boolean isAboutTheMessage(Throwable failure) {
		if (failure instanceof SerializationException || failure instanceof InvalidTopicException) {
			return true;
		}
		return failure instanceof ApiException && !(failure instanceof RetriableException
				|| failure instanceof AuthenticationException || failure instanceof OutOfOrderSequenceException
				|| failure instanceof InvalidProducerEpochException || failure instanceof ProducerFencedException);
	}

}
