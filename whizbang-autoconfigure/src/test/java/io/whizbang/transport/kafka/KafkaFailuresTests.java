package io.whizbang.transport.kafka;

import java.util.stream.Stream;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class KafkaFailuresTests {

	@ParameterizedTest
	@MethodSource
	void areAboutTheMessage(Exception failure) {
		assertThat(KafkaFailures.isAboutTheMessage(failure)).isTrue();
	}

	static Stream<Exception> areAboutTheMessage() {
		return Stream.of(new RecordTooLargeException(), new SerializationException(), new InvalidTopicException(),
				new TopicAuthorizationException("orders"));
	}

	@ParameterizedTest
	@MethodSource
	void areAboutTheBrokers(Exception failure) {
		assertThat(KafkaFailures.isAboutTheMessage(failure)).isFalse();
	}

	static Stream<Exception> areAboutTheBrokers() {
		return Stream.of(new TimeoutException(), new DisconnectException(), new NetworkException(),
				new NotEnoughReplicasException(), new SaslAuthenticationException("expired"),
				new OutOfOrderSequenceException("gap"), new InvalidProducerEpochException("old"),
				new KafkaException("closed"));
	}

	@Test
	void findsTheUnknownTopicBehindTheTimeout() {
		assertThat(KafkaFailures
			.isUnknownTopic(new TimeoutException("not in metadata", new UnknownTopicOrPartitionException()))).isTrue();
		assertThat(KafkaFailures.isUnknownTopic(new TimeoutException("not in metadata"))).isFalse();
	}

}
