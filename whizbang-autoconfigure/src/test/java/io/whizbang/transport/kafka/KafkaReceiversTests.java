package io.whizbang.transport.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.DeadLettersAutoConfiguration;
import io.whizbang.autoconfigure.InboxAutoConfiguration;
import io.whizbang.autoconfigure.IntakeAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangKafkaAutoConfiguration;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.letter.DeadLetter;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetters;
import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.worker.WorkerLifecycle;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.support.serializer.JacksonJsonDeserializer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Receives what producers that know nothing of Whizbang have sent.
 */
@PostgresTest
@ExtendWith(OutputCaptureExtension.class)
class KafkaReceiversTests {

	private final String topic = KafkaBroker.newTopic(3);

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	KafkaReceiversTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					InboxAutoConfiguration.class, DeadLettersAutoConfiguration.class, IntakeAutoConfiguration.class,
					KafkaAutoConfiguration.class, WhizbangKafkaAutoConfiguration.class))
			.withBean(DataSource.class, () -> database.createPool(10))
			.withPropertyValues("spring.application.name=shop",
					"spring.kafka.bootstrap-servers=" + KafkaBroker.address(),
					// What a JSON application has; it could not read half of our records.
					"spring.kafka.consumer.value-deserializer=" + JacksonJsonDeserializer.class.getName(),
					"whizbang.outbox.worker.enabled=false", "whizbang.inbox.worker.enabled=false",
					"whizbang.inbox.kafka.listeners[0].topics=" + this.topic,
					"whizbang.inbox.kafka.listeners[0].group-id=" + this.topic);
	}

	@Test
	void receivesFromProducersThatKnowNothingOfCloudEvents() {
		send(List.of(record("customer-7", "{\"total\":1}", Map.of("tenant", "blue")), record(null, "[2]", Map.of())));
		this.runner.run((context) -> {
			Await.until("both messages", () -> inbox().size() == 2);
			assertThat(inbox().stream().filter((row) -> row.get("stream_key") != null)).singleElement()
				.satisfies((row) -> {
					assertThat(row).containsEntry("topic", this.topic)
						.containsEntry("message_type", "")
						.containsEntry("stream_key", "customer-7")
						.containsEntry("payload", "{\"total\":1}")
						.containsEntry("tenant", "blue")
						.containsEntry("source", "kafka:" + this.topic);
					assertThat(row.get("source_id")).asString().matches(this.topic + "-[012]-0");
				});
		});
	}

	@Test
	void receivesCloudEventsUnderTheirOwnIdentity() {
		send(List.of(record("key", "1", Map.of("ce_specversion", "1.0", "ce_id", "order 4711", "ce_source", "/erp",
				"ce_type", "OrderPlaced", "ce_partitionkey", "customer-7"))));
		this.runner.withPropertyValues("whizbang.inbox.kafka.listeners[0].source=erp").run((context) -> {
			Await.until("the message", () -> inbox().size() == 1);
			assertThat(inbox().get(0)).containsEntry("message_type", "OrderPlaced")
				.containsEntry("stream_key", "customer-7")
				.containsEntry("source", "erp")
				.containsEntry("source_id", "order 4711");
		});
	}

	@Test
	void handlesEachMessageOnceThoughItIsDeliveredTwice() {
		this.database.jdbc()
			.execute("create table notes (place bigserial primary key, topic text, key text, number int)");
		this.runner.withBean(Notes.class)
			.withPropertyValues("whizbang.inbox.worker.enabled=true", "whizbang.inbox.kafka.listeners[0].concurrency=2")
			.run((context) -> {
				try (KafkaProducer<byte[], byte[]> producer = producer()) {
					for (int i = 0; i < 10_000; i++) {
						ProducerRecord<byte[], byte[]> record = record("key-" + i % 100, String.valueOf(i),
								Map.of("ce_id", "message-" + i));
						send(producer, record);
						if (i % 10 == 0) {
							send(producer, record);
						}
					}
				}
				Await.until("all records to be read", () -> KafkaBroker.committed(this.topic, this.topic) == 11_000);
				Await.until("all messages to be handled", () -> inbox().isEmpty());
				assertThat(query("select count(*) from notes where topic = ?")).isEqualTo(10_000);
				assertThat(query("select count(distinct number) from notes where topic = ?")).isEqualTo(10_000);
				assertThat(
						query("""
								select count(*) from (select number, lag(number) over (partition by key order by place) as before
								from notes where topic = ?) as numbers where before > number"""))
					.as("messages out of order")
					.isZero();
			});
	}

	@Test
	void putsAsideWhatIsNoMessageAndGoesOn() {
		byte[] garbage = { (byte) 0xff, 0, 1 };
		send(List.of(record("a", "1", Map.of()),
				new ProducerRecord<>(this.topic, 0, bytes("a"), garbage,
						record("a", "", Map.of("tenant", "blue")).headers()),
				new ProducerRecord<>(this.topic, 0, bytes("a"), null), record("a", "4", Map.of())));
		this.runner.run((context) -> {
			Await.until("all records to be read", () -> KafkaBroker.committed(this.topic, this.topic) == 4);
			assertThat(inbox()).extracting((row) -> row.get("payload")).containsExactlyInAnyOrder("1", "4");
			DeadLetters letters = context.getBean(DeadLetters.class);
			List<DeadLetter> dead = letters.list(DeadLetterFilter.ALL.source("kafka:" + this.topic), null, 10)
				.letters()
				.stream()
				.map((letter) -> letters.find(letter.id()))
				.toList();
			assertThat(dead).extracting(DeadLetter::error)
				.containsExactlyInAnyOrder("Its payload is not UTF-8", "It has no payload");
			assertThat(dead).filteredOn((letter) -> letter.headers().containsKey("tenant"))
				.singleElement()
				.satisfies((letter) -> {
					assertThat(letter.raw()).isEqualTo(garbage);
					assertThat(letter.reason()).isEqualTo("malformed");
					assertThat(letter.source()).isEqualTo("kafka:" + this.topic);
					assertThat(letter.headers()).containsEntry("tenant", "blue")
						.containsEntry("kafka-topic", this.topic)
						.containsEntry("kafka-partition", "0")
						.containsEntry("kafka-key", "a")
						.containsKey("kafka-offset");
				});
		});
	}

	@Test
	void putsAsideWhatIsTooLargeAndGoesOn() {
		String large = "\"" + "x".repeat(1_023) + "\"";
		send(List.of(record("a", "1", Map.of()), record("a", large, Map.of()), record("a", "3", Map.of())));
		this.runner.withPropertyValues("whizbang.messages.max-payload-size=1KB").run((context) -> {
			Await.until("all records to be read", () -> KafkaBroker.committed(this.topic, this.topic) == 3);
			assertThat(inbox()).extracting((row) -> row.get("payload")).containsExactly("1", "3");
			DeadLetters letters = context.getBean(DeadLetters.class);
			assertThat(letters.list(DeadLetterFilter.ALL.source("kafka:" + this.topic), null, 10).letters())
				.singleElement()
				.satisfies((letter) -> {
					assertThat(letter.reason()).isEqualTo("too-large");
					assertThat(letters.find(letter.id()).raw()).asString().isEqualTo(large);
				});
		});
	}

	@Test
	void keepsKeysAndHeadersThatAreNoText() {
		ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(this.topic, new byte[] { 0, 0, 0, 7 }, bytes("1"));
		record.headers().add("trace", new byte[] { (byte) 0xff });
		send(List.of(record));
		this.runner.run((context) -> {
			Await.until("the message", () -> inbox().size() == 1);
			assertThat(inbox().get(0)).containsEntry("stream_key", "AAAABw==").containsEntry("trace", "/w==");
		});
	}

	@Test
	void losesNothingWhileTheDatabaseIsAway(CapturedOutput output) {
		this.runner.run((context) -> {
			this.database.jdbc().execute("alter table whizbang.wh_message_deduplication rename to away");
			send(List.of(record("a", "1", Map.of()), record("a", "2", Map.of())));
			Await.until("a failed try",
					() -> output.getOut().contains("records of " + this.topic + " could not be stored"));
			assertThat(KafkaBroker.committed(this.topic, this.topic)).isZero();
			this.database.jdbc().execute("alter table whizbang.away rename to wh_message_deduplication");
			Await.until("both messages", () -> inbox().size() == 2);
			assertThat(inbox()).extracting((row) -> row.get("payload")).containsExactly("1", "2");
			Await.until("both to be acknowledged", () -> KafkaBroker.committed(this.topic, this.topic) == 2);
		});
	}

	@Test
	void stopsBeforeTheWorkers() {
		this.runner.run((context) -> {
			KafkaReceivers receivers = context.getBean(KafkaReceivers.class);
			assertThat(receivers.isRunning()).isTrue();
			assertThat(receivers.getPhase()).isGreaterThan(WorkerLifecycle.PHASE);
			context.stop();
			assertThat(receivers.isRunning()).isFalse();
			context.start();
			assertThat(receivers.isRunning()).isTrue();
		});
	}

	@Test
	void refusesListenersThatListenToNothing() {
		this.runner.withPropertyValues("whizbang.inbox.kafka.listeners[1].group-id=shop")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("whizbang.inbox.kafka.listeners[1].topics must not be empty"));
	}

	private List<Map<String, Object>> inbox() {
		return this.database.jdbc()
			.queryForList(
					"""
							select topic, message_type, stream_key, payload, headers ->> 'tenant' as tenant,
							headers ->> 'whizbang-source' as source, headers ->> 'whizbang-source-id' as source_id, headers ->> 'trace' as trace
							from whizbang.wh_inbox where topic = ? order by seq""",
					this.topic);
	}

	private long query(String sql) {
		Long count = this.database.jdbc().queryForObject(sql, Long.class, this.topic);
		return (count != null) ? count : 0;
	}

	private static void send(List<ProducerRecord<byte[], byte[]>> records) {
		try (KafkaProducer<byte[], byte[]> producer = producer()) {
			records.forEach((record) -> send(producer, record));
		}
	}

	private static void send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
		producer.send(record, (metadata, failure) -> assertThat(failure).isNull());
	}

	private static KafkaProducer<byte[], byte[]> producer() {
		return new KafkaProducer<>(Map.of("bootstrap.servers", KafkaBroker.address()), new ByteArraySerializer(),
				new ByteArraySerializer());
	}

	private ProducerRecord<byte[], byte[]> record(String key, String payload, Map<String, String> headers) {
		ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(this.topic, (key != null) ? bytes(key) : null,
				bytes(payload));
		headers.forEach((name, value) -> record.headers().add(name, bytes(value)));
		return record;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/** Notes in the database what it handles. */
	static class Notes {

		private final JdbcTemplate jdbc;

		Notes(DataSource dataSource) {
			this.jdbc = new JdbcTemplate(dataSource);
		}

		@MessageHandler(topic = "topic-*")
		void note(Integer number, Envelope message) {
			StreamId stream = message.stream();
			this.jdbc.update("insert into notes (topic, key, number) values (?, ?, ?)", message.topic(),
					(stream != null) ? stream.key() : null, number);
		}

	}

}
