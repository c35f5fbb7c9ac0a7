package io.whizbang.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;
import io.whizbang.transport.kafka.KafkaProducers;
import io.whizbang.transport.kafka.KafkaSettings;
import io.whizbang.transport.kafka.KafkaTransport;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * How fast a waiting outbox goes to Kafka, beside the two things that limit it: a
 * producer that has the same records in memory, and the outbox with a transport that does
 * nothing. The broker runs in this process.
 */
final class KafkaComparison {

	static final String BARE = "kafka, messages/s: bare producer";

	static final String NOWHERE = "kafka, messages/s: whizbang to nowhere";

	static final String WHIZBANG = "kafka, messages/s: whizbang to kafka";

	/** The lower one of the two limits, in each round. */
	static final String LIMIT = "kafka, messages/s: lower limit";

	/**
	 * What is left when both limits need the same processors all the time, as they do
	 * when broker, database and application share a small machine.
	 */
	static final String SHARED = "kafka, messages/s: limits on shared processors";

	private static final int WARM_UPS = 4;

	private static final int PARTITIONS = 12;

	private static final CloudEvents EVENTS = new CloudEvents("/benchmark");

	private final DataSource dataSource;

	private final int messages;

	KafkaComparison(DataSource dataSource, int messages) {
		this.dataSource = dataSource;
		this.messages = messages;
	}

	void run(int rounds, Measurements measurements) throws InterruptedException {
		EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
		broker.brokerProperty("auto.create.topics.enable", "false");
		broker.afterPropertiesSet();
		try {
			broker.addTopics(new NewTopic(WhizbangOutbox.TOPIC, PARTITIONS, (short) 1));
			run(rounds, measurements, broker.getBrokersAsString());
		}
		finally {
			broker.destroy();
		}
	}

	private void run(int rounds, Measurements measurements, String brokers) throws InterruptedException {
		JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);
		DefaultKafkaProducerFactory<byte[], byte[]> producers = KafkaProducers
			.factory(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers), KafkaSettings.defaults());
		List<ProducerRecord<byte[], byte[]>> records = records();
		try (KafkaTransport kafka = new KafkaTransport(producers, EVENTS, KafkaSettings.defaults());
				Producer<byte[], byte[]> producer = producers.createProducer();
				WhizbangOutbox whizbang = new WhizbangOutbox(this.dataSource)) {
			for (int i = 0; i < WARM_UPS; i++) {
				produce(producer, records);
				drain(whizbang, new Nowhere());
				drain(whizbang, kafka);
			}
			for (int round = 0; round < rounds; round++) {
				double bare = produce(producer, records);
				jdbc.execute("checkpoint");
				double nowhere = drain(whizbang, new Nowhere());
				jdbc.execute("checkpoint");
				measurements.add(BARE, bare);
				measurements.add(NOWHERE, nowhere);
				measurements.add(LIMIT, Math.min(bare, nowhere));
				measurements.add(SHARED, 1 / (1 / bare + 1 / nowhere));
				measurements.add(WHIZBANG, drain(whizbang, kafka));
			}
		}
	}

	/** The records that the transport makes of the messages that {@link #drain} loads. */
	private List<ProducerRecord<byte[], byte[]>> records() {
		JsonMapper mapper = JsonMapper.builder().build();
		List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(this.messages);
		for (int number = 0; number < this.messages; number++) {
			Payload payload = payload(number);
			Envelope envelope = new Envelope(MessageId.next(), WhizbangOutbox.TOPIC, Payload.class.getName(),
					StreamId.of(payload.stream()), Map.of(), mapper.writeValueAsString(payload), Instant.now());
			RecordHeaders headers = new RecordHeaders();
			EVENTS.write(envelope, CloudEvents.KAFKA_PREFIX).forEach((name, value) -> headers.add(name, bytes(value)));
			headers.add(CloudEvents.CONTENT_TYPE, bytes(CloudEvents.JSON));
			records.add(new ProducerRecord<>(WhizbangOutbox.TOPIC, null, null, bytes(payload.stream()),
					bytes(envelope.payload()), headers));
		}
		return records;
	}

	private static Payload payload(int number) {
		return new Payload(number, Drain.stream(number), 0, Payload.TEXT);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@SuppressWarnings("FutureReturnValueIgnored") // The callback gets all that it says.
	private double produce(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
			throws InterruptedException {
		CountDownLatch left = new CountDownLatch(records.size());
		long start = System.nanoTime();
		for (ProducerRecord<byte[], byte[]> record : records) {
			producer.send(record, (metadata, failure) -> {
				if (failure == null) {
					left.countDown();
				}
			});
		}
		producer.flush();
		return rate("The bare producer", left, start);
	}

	private double drain(WhizbangOutbox whizbang, Transport transport) throws InterruptedException {
		List<Payload> chunk = new ArrayList<>();
		for (int number = 0; number < this.messages; number++) {
			chunk.add(payload(number));
			if (chunk.size() == 1000 || number == this.messages - 1) {
				whizbang.load(chunk);
				chunk.clear();
			}
		}
		CountDownLatch left = new CountDownLatch(this.messages);
		long start = System.nanoTime();
		whizbang.start(new CountingTransport(transport, left));
		double rate = rate("Whizbang", left, start);
		whizbang.stop();
		return rate;
	}

	private double rate(String who, CountDownLatch left, long start) throws InterruptedException {
		if (!left.await(5, TimeUnit.MINUTES)) {
			throw new IllegalStateException(who + " has not sent " + left.getCount() + " messages");
		}
		return this.messages / ((System.nanoTime() - start) / 1e9);
	}

	/** Takes everything and does nothing. */
	private static final class Nowhere implements Transport {

		@Override
		public String name() {
			return "nowhere";
		}

		@Override
		public List<SendResult> send(List<Envelope> messages) {
			return messages.stream().map((message) -> SendResult.sent()).toList();
		}

	}

	/**
	 * Counts what was sent.
	 *
	 * @param transport who sends
	 * @param left how many are still to be sent
	 */
	private record CountingTransport(Transport transport, CountDownLatch left) implements Transport {

		@Override
		public String name() {
			return this.transport.name();
		}

		@Override
		public List<SendResult> send(List<Envelope> messages) {
			List<SendResult> results = this.transport.send(messages);
			for (SendResult result : results) {
				if (result.status() == SendResult.Status.SENT) {
					this.left.countDown();
				}
			}
			return results;
		}

		@Override
		public int batchSize() {
			return this.transport.batchSize();
		}

	}

}
