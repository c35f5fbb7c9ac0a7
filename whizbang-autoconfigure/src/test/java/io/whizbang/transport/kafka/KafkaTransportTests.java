package io.whizbang.transport.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.SendResult.Status;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends to a real broker, and reads with a consumer that knows nothing of Whizbang.
 */
class KafkaTransportTests {

	private final List<KafkaTransport> transports = new ArrayList<>();

	@AfterEach
	void close() {
		this.transports.forEach(KafkaTransport::close);
	}

	@Test
	void sendsWhatAnyConsumerCanRead() {
		String topic = KafkaBroker.newTopic(3);
		Map<String, String> headers = Map.of(HeaderNames.CORRELATION_ID, "c-1", HeaderNames.TRACE_PARENT, "00-1-2-01",
				"tenant", "blue");
		Envelope message = new Envelope(MessageId.next(), topic, "com.example.OrderPlaced", StreamId.of("Käufer 7"),
				headers, "{\"total\":\"1 €\"}", Instant.parse("2026-01-02T03:04:05Z"));
		assertThat(transport().send(List.of(message))).containsExactly(SendResult.sent());
		ConsumerRecord<String, String> record = KafkaBroker.read(topic, 1).get(0);
		assertThat(record.key()).isEqualTo("Käufer 7");
		assertThat(record.value()).isEqualTo("{\"total\":\"1 €\"}");
		Map<String, String> expected = new HashMap<>();
		expected.put("ce_specversion", "1.0");
		expected.put("ce_id", message.id().toString());
		expected.put("ce_source", "/shop");
		expected.put("ce_type", "com.example.OrderPlaced");
		expected.put("ce_time", "2026-01-02T03:04:05Z");
		expected.put("ce_subject", topic);
		expected.put("ce_partitionkey", "Käufer 7");
		expected.put("ce_correlationid", "c-1");
		expected.put("content-type", "application/json");
		expected.put("traceparent", "00-1-2-01");
		expected.put("tenant", "blue");
		assertThat(headers(record)).isEqualTo(expected);
	}

	@Test
	void keepsTheOrderOfEachStream() {
		String topic = KafkaBroker.newTopic(3);
		KafkaTransport transport = transport();
		for (int batch = 0; batch < 3; batch++) {
			int first = batch * 500;
			List<Envelope> messages = IntStream.range(first, first + 500)
				.mapToObj((number) -> message(topic, "stream-" + number % 7, String.valueOf(number)))
				.toList();
			assertThat(transport.send(messages)).hasSize(500).containsOnly(SendResult.sent());
		}
		Map<String, List<Integer>> numbers = new LinkedHashMap<>();
		KafkaBroker.read(topic, 1500)
			.forEach((record) -> numbers.computeIfAbsent(record.key(), (key) -> new ArrayList<>())
				.add(Integer.valueOf(record.value())));
		assertThat(numbers).hasSize(7).allSatisfy((key, sent) -> assertThat(sent).isSorted());
	}

	@Test
	void holdsBackAStreamWhoseMessageIsTooLarge() {
		String topic = KafkaBroker.newTopic(1);
		List<SendResult> results = transport()
			.send(List.of(message(topic, "a", "1"), message(topic, "a", "\"" + "x".repeat(2_000_000) + "\""),
					message(topic, "a", "3"), message(topic, "b", "4"), message(topic, null, "5")));
		assertThat(results).extracting(SendResult::status)
			.containsExactly(Status.SENT, Status.FAILED, Status.NOT_SENT, Status.SENT, Status.SENT);
		assertThat(results.get(1).failure()).isInstanceOf(RecordTooLargeException.class);
		assertThat(KafkaBroker.read(topic, 3)).extracting(ConsumerRecord::value)
			.containsExactlyInAnyOrder("1", "4", "5");
	}

	/**
	 * The broker's limit is lower than the producer's, so the large record leaves; the
	 * later one may arrive but must not count, or nobody would send it again behind the
	 * large one.
	 */
	@Test
	void countsNothingBehindAMessageThatTheBrokerRefused() {
		String topic = KafkaBroker.newTopic(1, Map.of("max.message.bytes", "20000"));
		List<SendResult> results = transport()
			.send(List.of(message(topic, "a", "1"), message(topic, "a", "\"" + "x".repeat(50_000) + "\""),
					message(topic, "a", "3"), message(topic, "b", "4")));
		assertThat(results).extracting(SendResult::status)
			.containsExactly(Status.SENT, Status.FAILED, Status.NOT_SENT, Status.SENT);
	}

	@Test
	void tellsWhichTopicTheBrokersDoNotKnow() {
		String known = KafkaBroker.newTopic(1);
		KafkaTransport transport = transport(
				KafkaSettings.defaults().withTimes(Duration.ofMillis(500), Duration.ofSeconds(5)));
		List<SendResult> results = transport.send(List.of(message("nobody-made-it", "a", "1"),
				message("nobody-made-it", "b", "2"), message(known, "a", "3"), message(known, "c", "4")));
		assertThat(results).extracting(SendResult::status)
			.containsExactly(Status.FAILED, Status.FAILED, Status.NOT_SENT, Status.SENT);
		assertThat(results.get(1).failure()).isInstanceOf(UnknownKafkaTopicException.class)
			.hasMessageContaining("no topic \"nobody-made-it\"")
			.hasMessageContaining("whizbang.kafka.topics");
	}

	@Test
	void refusesNamesThatKafkaCannotHave() {
		SendResult result = transport().send(List.of(message("orders/placed", "a", "1"))).get(0);
		assertThat(result.status()).isEqualTo(Status.FAILED);
		assertThat(result.failure()).isInstanceOf(InvalidTopicException.class);
	}

	@Test
	void sendsToTheTopicThatTheSettingsName() {
		String own = KafkaBroker.newTopic(1);
		String all = KafkaBroker.newTopic(1);
		KafkaTransport transport = transport(
				KafkaSettings.defaults().withTopics(Map.of("orders/*", all, "orders/placed", own)));
		assertThat(transport.send(List.of(message("orders/placed", "a", "1"), message("orders/paid", "a", "2"))))
			.containsOnly(SendResult.sent());
		assertThat(KafkaBroker.read(own, 1)).extracting(ConsumerRecord::value).containsExactly("1");
		assertThat(KafkaBroker.read(all, 1)).extracting(ConsumerRecord::value).containsExactly("2");
	}

	@Test
	void findsDeadBrokersUnreachableInOneShortTime() {
		KafkaTransport transport = transport("localhost:1",
				KafkaSettings.defaults().withTimes(Duration.ofMillis(200), Duration.ofSeconds(1)));
		List<Envelope> messages = IntStream.range(0, 100)
			.mapToObj((number) -> message("orders", "stream-" + number, "1"))
			.toList();
		long start = System.nanoTime();
		List<SendResult> results = transport.send(messages);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
		assertThat(results).hasSize(100).extracting(SendResult::status).containsOnly(Status.UNREACHABLE);
		assertThat(results.get(99).failure()).hasMessageContaining("Kafka at localhost:1 cannot be reached");
	}

	@Test
	void findsBrokersWithoutAnAddressUnreachable() {
		KafkaTransport transport = transport("no-such-host.invalid:9092", KafkaSettings.defaults());
		SendResult result = transport.send(List.of(message("orders", "a", "1"))).get(0);
		assertThat(result.status()).isEqualTo(Status.UNREACHABLE);
	}

	private KafkaTransport transport() {
		return transport(KafkaSettings.defaults());
	}

	private KafkaTransport transport(KafkaSettings settings) {
		return transport(KafkaBroker.address(), settings);
	}

	private KafkaTransport transport(String brokers, KafkaSettings settings) {
		Map<String, Object> application = Map.of("bootstrap.servers", brokers, "acks", "0", "retries", 0);
		KafkaTransport transport = new KafkaTransport(KafkaProducers.factory(application, settings),
				new CloudEvents("/shop"), settings);
		this.transports.add(transport);
		return transport;
	}

	private static Envelope message(String topic, String stream, String payload) {
		return new Envelope(MessageId.next(), topic, "Thing", (stream != null) ? StreamId.of(stream) : null, Map.of(),
				payload, Instant.EPOCH);
	}

	private static Map<String, String> headers(ConsumerRecord<String, String> record) {
		Map<String, String> headers = new HashMap<>();
		record.headers()
			.forEach((header) -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
		return headers;
	}

}
