package io.whizbang.transport.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.SendResult.Status;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of messages whose answers come late, in part or never.
 */
class KafkaBatchTests {

	@Test
	void countsNothingBehindAFailureThatComesAfterLaterOnesHaveLeft() {
		List<SendResult> results = send((producer) -> {
			producer.errorNext(new RecordTooLargeException("too large"));
			producer.completeNext();
			producer.completeNext();
		}, message("a"), message("a"), message("b"));
		assertThat(results).extracting(SendResult::status).containsExactly(Status.FAILED, Status.NOT_SENT, Status.SENT);
	}

	@Test
	void countsNothingBehindALostConnection() {
		List<SendResult> results = send((producer) -> {
			producer.completeNext();
			producer.errorNext(new DisconnectException("gone"));
			producer.completeNext();
			producer.completeNext();
		}, message("a"), message("a"), message("a"), message(null));
		assertThat(results).extracting(SendResult::status)
			.containsExactly(Status.SENT, Status.UNREACHABLE, Status.NOT_SENT, Status.SENT);
	}

	@Test
	void findsBrokersUnreachableThatNeverAnswer() {
		List<SendResult> results = send(MockProducer::completeNext, message("a"), message("a"), message("a"),
				message("b"));
		assertThat(results).extracting(SendResult::status)
			.containsExactly(Status.SENT, Status.UNREACHABLE, Status.NOT_SENT, Status.UNREACHABLE);
		assertThat(results.get(1).failure()).hasMessageContaining("Kafka at kafka:9092 cannot be reached");
	}

	@Test
	void stopsWaitingWhenInterrupted() {
		List<SendResult> results = send((producer) -> {
			producer.completeNext();
			Thread.currentThread().interrupt();
		}, message("a"), message("b"));
		assertThat(Thread.interrupted()).as("still interrupted").isTrue();
		assertThat(results).extracting(SendResult::status).containsExactly(Status.SENT, Status.UNREACHABLE);
	}

	private static List<SendResult> send(Answers answers, Envelope... messages) {
		KafkaSettings settings = KafkaSettings.defaults().withTimes(Duration.ofMillis(1), Duration.ofMillis(1));
		KafkaTopics topics = new KafkaTopics(Map.of(), System::nanoTime);
		try (MockProducer<byte[], byte[]> producer = new AnsweringProducer(answers)) {
			KafkaRecords records = new KafkaRecords(new CloudEvents("/shop"), topics);
			return new KafkaBatch(producer, records, topics, "kafka:9092", settings).send(List.of(messages));
		}
	}

	private static Envelope message(String stream) {
		return new Envelope(MessageId.next(), "orders", "Thing", (stream != null) ? StreamId.of(stream) : null,
				Map.of(), "1", Instant.EPOCH);
	}

	/** What the brokers answer when all records have left. */
	@FunctionalInterface
	private interface Answers {

		void give(MockProducer<byte[], byte[]> producer);

	}

	private static final class AnsweringProducer extends MockProducer<byte[], byte[]> {

		private final Answers answers;

		AnsweringProducer(Answers answers) {
			super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
			this.answers = answers;
		}

		@Override
		public synchronized void flush() {
			this.answers.give(this);
		}

	}

}
