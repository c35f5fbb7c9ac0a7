package io.whizbang.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

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
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/**
 * How fast a waiting outbox goes to Kafka, beside the two things that limit it: a
 * producer that has the same records in memory, and the outbox with a transport that does
 * nothing.
 */
final class KafkaComparison {

	static final String BARE = "kafka, messages/s: bare producer";

	static final String NOWHERE = "kafka, messages/s: whizbang to nowhere";

	static final String WHIZBANG = "kafka, messages/s: whizbang to kafka";

	/** The lower one of the two limits, in each round. */
	static final String LIMIT = "kafka, messages/s: lower limit";

	/**
	 * What the processors of this machine could do if none was ever idle, and each
	 * message cost what it costs the bare producer and the outbox to nowhere.
	 */
	static final String PROCESSORS = "kafka, messages/s: limit of the processors";

	/**
	 * Both limits at the same time, on the same processors: the producer sends from
	 * memory while the outbox goes to nowhere, until both are through.
	 */
	static final String TOGETHER = "kafka, messages/s: both limits at once";

	/** Messages published while producers commit as fast as they can. */
	static final String STEADY = "kafka, messages/s while producers run: whizbang to kafka";

	/** The same with nothing to publish to: what the database lets through. */
	static final String STEADY_NOWHERE = "kafka, messages/s while producers run: whizbang to nowhere";

	private static final String MICROS = "kafka, processor µs/message: ";

	/** Three programs warm up here, one of them in another virtual machine. */
	private static final int WARM_UPS = 10;

	private static final int PARTITIONS = 12;

	private static final int PRODUCERS = 8;

	private static final CloudEvents EVENTS = new CloudEvents("/benchmark");

	private final DataSource dataSource;

	private final int messages;

	private final Duration steadyTime;

	KafkaComparison(DataSource dataSource, int messages, Duration steadyTime) {
		this.dataSource = dataSource;
		this.messages = messages;
		this.steadyTime = steadyTime;
	}

	void run(int rounds, Measurements measurements) throws InterruptedException {
		try (KafkaServer broker = KafkaServer.start(WhizbangOutbox.TOPIC, PARTITIONS)) {
			run(rounds, measurements, broker);
		}
	}

	private void run(int rounds, Measurements measurements, KafkaServer broker) throws InterruptedException {
		JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);
		Supplier<ProcessorTime> clock = clock(jdbc, broker);
		DefaultKafkaProducerFactory<byte[], byte[]> producers = KafkaProducers
			.factory(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.address()), KafkaSettings.defaults());
		List<ProducerRecord<byte[], byte[]>> records = records();
		try (KafkaTransport kafka = new KafkaTransport(producers, EVENTS, KafkaSettings.defaults());
				Producer<byte[], byte[]> producer = producers.createProducer();
				WhizbangOutbox whizbang = new WhizbangOutbox(this.dataSource)) {
			for (int round = -WARM_UPS; round < rounds; round++) {
				Result bare = produce(producer, records, clock);
				load(whizbang, jdbc);
				Result nowhere = drain(whizbang, new Nowhere(), clock);
				load(whizbang, jdbc);
				Result together = both(producer, records, whizbang, clock);
				load(whizbang, jdbc);
				Result sent = drain(whizbang, kafka, clock);
				if (round >= 0) {
					measurements.add(TOGETHER, together.rate());
					report(measurements, bare, nowhere, sent);
				}
			}
			Steady steady = new Steady(this.dataSource);
			for (int round = -1; round < rounds; round++) {
				Measurements kept = (round >= 0) ? measurements : new Measurements();
				kept.add(STEADY_NOWHERE, publish(whizbang, new Nowhere(), steady));
				kept.add(STEADY, publish(whizbang, kafka, steady));
			}
		}
	}

	private double publish(WhizbangOutbox whizbang, Transport transport, Steady steady) throws InterruptedException {
		AtomicLong sent = new AtomicLong();
		whizbang.start(new CountingTransport(transport, sent::incrementAndGet));
		double committed = steady.produce(whizbang, PRODUCERS, this.steadyTime);
		double published = committed * sent.get() / steady.committed();
		long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
		while (sent.get() < steady.committed()) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("Not sent: " + (steady.committed() - sent.get()) + " messages");
			}
			LockSupport.parkNanos(1_000_000);
		}
		whizbang.stop();
		return published;
	}

	private static void report(Measurements measurements, Result bare, Result nowhere, Result sent) {
		measurements.add(BARE, bare.rate());
		measurements.add(NOWHERE, nowhere.rate());
		measurements.add(LIMIT, Math.min(bare.rate(), nowhere.rate()));
		measurements.add(PROCESSORS,
				Runtime.getRuntime().availableProcessors() * 1e6 / (bare.micros() + nowhere.micros()));
		measurements.add(WHIZBANG, sent.rate());
		measurements.add(MICROS + "bare producer", bare.micros());
		measurements.add(MICROS + "whizbang to nowhere", nowhere.micros());
		measurements.add(MICROS + "whizbang to kafka", sent.micros());
		measurements.add(MICROS + "of it the application", sent.micros(sent.used().application()));
		measurements.add(MICROS + "of it the database", sent.micros(sent.used().database()));
		measurements.add(MICROS + "of it the broker", sent.micros(sent.used().broker()));
	}

	private static Supplier<ProcessorTime> clock(JdbcTemplate jdbc, KafkaServer broker) {
		ProcessHandle database = ProcessorTime.database(jdbc);
		return () -> ProcessorTime.now(database, broker.process());
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
	private Result produce(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records,
			Supplier<ProcessorTime> clock) throws InterruptedException {
		CountDownLatch left = new CountDownLatch(records.size());
		ProcessorTime before = clock.get();
		long start = System.nanoTime();
		for (ProducerRecord<byte[], byte[]> record : records) {
			producer.send(record, (metadata, failure) -> {
				if (failure == null) {
					left.countDown();
				}
			});
		}
		producer.flush();
		double seconds = await("The bare producer", left, start);
		return new Result(this.messages, seconds, clock.get().since(before));
	}

	private Result both(Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records,
			WhizbangOutbox whizbang, Supplier<ProcessorTime> clock) throws InterruptedException {
		CompletableFuture<Result> bare = CompletableFuture.supplyAsync(() -> {
			try {
				return produce(producer, records, clock);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException("The bare producer was interrupted", ex);
			}
		});
		Result nowhere = drain(whizbang, new Nowhere(), clock);
		Result sent = bare.join();
		return (sent.seconds() > nowhere.seconds()) ? sent : nowhere;
	}

	private void load(WhizbangOutbox whizbang, JdbcTemplate jdbc) {
		List<Payload> chunk = new ArrayList<>();
		for (int number = 0; number < this.messages; number++) {
			chunk.add(payload(number));
			if (chunk.size() == 1000 || number == this.messages - 1) {
				whizbang.load(chunk);
				chunk.clear();
			}
		}
		jdbc.execute("checkpoint");
	}

	private Result drain(WhizbangOutbox whizbang, Transport transport, Supplier<ProcessorTime> clock)
			throws InterruptedException {
		CountDownLatch left = new CountDownLatch(this.messages);
		ProcessorTime before = clock.get();
		long start = System.nanoTime();
		whizbang.start(new CountingTransport(transport, left::countDown));
		double seconds = await("Whizbang", left, start);
		ProcessorTime used = clock.get().since(before);
		whizbang.stop();
		return new Result(this.messages, seconds, used);
	}

	private static double await(String who, CountDownLatch left, long start) throws InterruptedException {
		if (!left.await(5, TimeUnit.MINUTES)) {
			throw new IllegalStateException(who + " has not sent " + left.getCount() + " messages");
		}
		return (System.nanoTime() - start) / 1e9;
	}

	/**
	 * What one side took for all messages.
	 *
	 * @param messages how many
	 * @param seconds how long
	 * @param used time on processors
	 */
	private record Result(int messages, double seconds, ProcessorTime used) {

		double rate() {
			return this.messages / this.seconds;
		}

		/** Time on processors for a message. */
		double micros() {
			return micros(this.used.total());
		}

		double micros(Duration time) {
			return time.toNanos() / 1e3 / this.messages;
		}

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
	 * @param sent told once for each message
	 */
	private record CountingTransport(Transport transport, Runnable sent) implements Transport {

		@Override
		public String name() {
			return this.transport.name();
		}

		@Override
		public List<SendResult> send(List<Envelope> messages) {
			List<SendResult> results = this.transport.send(messages);
			for (SendResult result : results) {
				if (result.status() == SendResult.Status.SENT) {
					this.sent.run();
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
