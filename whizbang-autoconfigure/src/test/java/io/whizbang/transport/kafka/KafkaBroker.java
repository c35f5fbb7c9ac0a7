package io.whizbang.transport.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * A real broker for all tests of this JVM.
 */
public final class KafkaBroker {

	private static final EmbeddedKafkaKraftBroker BROKER = start();

	private KafkaBroker() {
	}

	private static EmbeddedKafkaKraftBroker start() {
		EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
		broker.brokerProperty("auto.create.topics.enable", "false");
		broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
		broker.brokerProperty("offsets.topic.num.partitions", "1");
		broker.afterPropertiesSet();
		return broker;
	}

	public static String address() {
		return BROKER.getBrokersAsString();
	}

	/** Creates a topic that no other test uses. */
	public static String newTopic(int partitions, Map<String, String> settings) {
		String name = "topic-" + UUID.randomUUID();
		BROKER.addTopics(new NewTopic(name, partitions, (short) 1).configs(settings));
		return name;
	}

	public static String newTopic(int partitions) {
		return newTopic(partitions, Map.of());
	}

	/** Tells how many records of a topic a consumer group has acknowledged. */
	public static long committed(String group, String topic) {
		return BROKER.<Long>doWithAdminFunction((admin) -> {
			try {
				return admin.listConsumerGroupOffsets(group)
					.partitionsToOffsetAndMetadata()
					.get()
					.entrySet()
					.stream()
					.filter((entry) -> entry.getKey().topic().equals(topic) && entry.getValue() != null)
					.mapToLong((entry) -> entry.getValue().offset())
					.sum();
			}
			catch (InterruptedException | ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	/** Ends the broker, as a crash or a deployment would. */
	static void stop() {
		BROKER.getCluster().brokers().values().forEach((broker) -> {
			broker.shutdown();
			broker.awaitShutdown();
		});
	}

	/** Starts the broker again, with all it had. */
	static void startAgain() {
		BROKER.getCluster().brokers().values().forEach((broker) -> broker.startup());
	}

	/**
	 * Reads a topic from its beginning with a consumer that knows nothing of Whizbang,
	 * until the records are what a test waits for.
	 */
	public static List<ConsumerRecord<String, String>> read(String topic,
			Predicate<List<ConsumerRecord<String, String>>> enough) {
		Map<String, Object> configuration = Map.of("bootstrap.servers", address());
		try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(configuration, new StringDeserializer(),
				new StringDeserializer())) {
			Collection<TopicPartition> partitions = consumer.partitionsFor(topic)
				.stream()
				.map((partition) -> new TopicPartition(topic, partition.partition()))
				.toList();
			consumer.assign(partitions);
			consumer.seekToBeginning(partitions);
			List<ConsumerRecord<String, String>> records = new ArrayList<>();
			long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
			while (!enough.test(records)) {
				if (System.nanoTime() > deadline) {
					throw new AssertionError("Only these came: " + records);
				}
				consumer.poll(Duration.ofMillis(100)).forEach(records::add);
			}
			return records;
		}
	}

	public static List<ConsumerRecord<String, String>> read(String topic, int count) {
		return read(topic, (records) -> records.size() >= count);
	}

}
