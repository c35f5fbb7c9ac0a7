package io.whizbang.transport.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.IntakeAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangKafkaAutoConfiguration;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.transport.TransportStatus;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.serializer.JacksonJsonSerializer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with Boot's own Kafka support sends through the outbox.
 */
@PostgresTest
class KafkaOutboxTests {

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	KafkaOutboxTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					IntakeAutoConfiguration.class, KafkaAutoConfiguration.class, WhizbangKafkaAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource)
			.withPropertyValues("spring.application.name=shop",
					"spring.kafka.bootstrap-servers=" + KafkaBroker.address(),
					// What a JSON application has; none of it may change our records.
					"spring.kafka.producer.value-serializer=" + JacksonJsonSerializer.class.getName(),
					"spring.kafka.producer.transaction-id-prefix=tx-", "spring.kafka.producer.compression-type=lz4");
	}

	@Test
	void sendsWhatTheApplicationEnqueues() {
		String topic = KafkaBroker.newTopic(1);
		this.runner.run((context) -> {
			context.getBean(Outbox.class).enqueue(topic, "customer-7", new Greeting("hello"));
			ConsumerRecord<String, String> record = KafkaBroker.read(topic, 1).get(0);
			assertThat(record.key()).isEqualTo("customer-7");
			assertThat(record.value()).isEqualTo("{\"text\":\"hello\"}");
			assertThat(record.headers().lastHeader("ce_source").value()).asString().isEqualTo("/shop");
			assertThat(record.headers().lastHeader("__TypeId__")).isNull();
		});
	}

	@Test
	void leavesTheApplicationsOwnKafkaAlone() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(KafkaTransport.class)
				.hasSingleBean(KafkaTemplate.class)
				.hasSingleBean(ProducerFactory.class);
			ProducerFactory<?, ?> own = context.getBean(ProducerFactory.class);
			assertThat(own.getConfigurationProperties()).doesNotContainKey(ProducerConfig.MAX_BLOCK_MS_CONFIG);
		});
	}

	@Test
	void namesTheSourceAsTheApplicationWantsIt() {
		String topic = KafkaBroker.newTopic(1);
		this.runner
			.withPropertyValues("whizbang.outbox.event-source=https://shop.example.com",
					"whizbang.kafka.topics[greetings.*]=" + topic)
			.run((context) -> {
				context.getBean(Outbox.class).enqueue("greetings.early", new Greeting("hello"));
				ConsumerRecord<String, String> record = KafkaBroker.read(topic, 1).get(0);
				assertThat(record.key()).isNull();
				assertThat(record.headers().lastHeader("ce_source").value()).asString()
					.isEqualTo("https://shop.example.com");
				assertThat(record.headers().lastHeader("ce_subject").value()).asString().isEqualTo("greetings.early");
			});
	}

	@Test
	void isAbsentWithoutKafkaOrWhenSwitchedOff() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.kafka"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("whizbangKafkaTransport"));
		this.runner.withPropertyValues("whizbang.kafka.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(KafkaTransport.class));
		this.runner.withPropertyValues("whizbang.outbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(KafkaTransport.class));
	}

	@Test
	void refusesTimesThatAreNone() {
		this.runner.withPropertyValues("whizbang.kafka.delivery-timeout=0s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("whizbang.kafka.delivery-timeout must be above 0 but is 0s"));
	}

	@Test
	void losesNothingAndKeepsTheOrderWhileTheBrokerIsAway() {
		String topic = KafkaBroker.newTopic(2);
		this.runner
			.withPropertyValues("whizbang.kafka.max-block=500ms", "whizbang.kafka.delivery-timeout=1s",
					"whizbang.outbox.unreachable-delay=200ms",
					"spring.kafka.producer.properties.reconnect.backoff.max.ms=200")
			.run((context) -> {
				Outbox outbox = context.getBean(Outbox.class);
				OutboxPublisher publisher = context.getBean(OutboxPublisher.class);
				enqueue(outbox, topic, 0, 300);
				KafkaBroker.read(topic, 1);
				KafkaBroker.stop();
				enqueue(outbox, topic, 300, 600);
				Await.until("the transport to be unreachable", () -> !publisher.transport("kafka").isReachable());
				assertThat(publisher.transport("kafka").reason()).contains(KafkaBroker.address());
				enqueue(outbox, topic, 600, 900);
				Await.until("a message to wait", () -> count("where scheduled_for is not null") > 0);
				assertThat(count("where attempts > 0")).as("messages with an attempt burnt").isZero();
				KafkaBroker.startAgain();
				Await.until("an empty outbox", () -> count("") == 0);
				assertThat(publisher.transport("kafka")).matches(TransportStatus::isReachable);
			});
		assertThat(this.database.jdbc().queryForObject("select count(*) from whizbang.wh_dead_letters", Long.class))
			.isZero();
		Map<String, List<Integer>> expected = IntStream.range(0, 900)
			.boxed()
			.collect(Collectors.groupingBy((number) -> "stream-" + number % 10));
		List<ConsumerRecord<String, String>> records = KafkaBroker.read(topic,
				(read) -> read.stream().map(ConsumerRecord::value).distinct().count() == 900);
		assertThat(firstArrivals(records)).isEqualTo(expected);
	}

	private static void enqueue(Outbox outbox, String topic, int from, int to) {
		outbox.enqueueAll(IntStream.range(from, to)
			.mapToObj((number) -> OutboxMessage.to(topic, number).stream("stream-" + number % 10).build())
			.toList());
	}

	/** Numbers by key; what came again counts where it came first. */
	private static Map<String, List<Integer>> firstArrivals(List<ConsumerRecord<String, String>> records) {
		Map<String, Set<Integer>> seen = new HashMap<>();
		records.forEach((record) -> seen.computeIfAbsent(record.key(), (key) -> new LinkedHashSet<>())
			.add(Integer.valueOf(record.value())));
		Map<String, List<Integer>> numbers = new LinkedHashMap<>();
		seen.forEach((key, values) -> numbers.put(key, new ArrayList<>(values)));
		return numbers;
	}

	private long count(String where) {
		Long count = this.database.jdbc()
			.queryForObject("select count(*) from whizbang.wh_outbox " + where, Long.class);
		return (count != null) ? count : 0;
	}

	record Greeting(String text) {

	}

}
