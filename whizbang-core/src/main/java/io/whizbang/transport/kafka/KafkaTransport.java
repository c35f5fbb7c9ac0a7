package io.whizbang.transport.kafka;

import java.util.List;

import io.whizbang.message.Envelope;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

import org.springframework.kafka.core.DefaultKafkaProducerFactory;

/**
 * Sends messages to Kafka as CloudEvents, keyed by their stream. All messages of a call
 * are under way at once, and the call returns when the brokers have acknowledged them.
 * <p>
 * Order within a stream holds when all goes well and when a message is refused before it
 * leaves. When brokers fail a message after later ones of its stream have left, those may
 * arrive before it; they do not count as sent and follow once more behind it, under the
 * same identity.
 */
public final class KafkaTransport implements Transport, AutoCloseable {

	/** Name that routes refer to. */
	public static final String NAME = "kafka";

	private final DefaultKafkaProducerFactory<byte[], byte[]> producers;

	private final KafkaRecords records;

	private final KafkaTopics topics;

	private final KafkaSettings settings;

	private final String brokers;

	/**
	 * Creates a transport.
	 * @param producers makes producers, from {@link KafkaProducers}; closed with the
	 * transport
	 * @param events how messages become CloudEvents
	 * @param settings names of topics, and how long to wait
	 */
	public KafkaTransport(DefaultKafkaProducerFactory<byte[], byte[]> producers, CloudEvents events,
			KafkaSettings settings) {
		this.producers = producers;
		this.topics = new KafkaTopics(settings.topics(), System::nanoTime);
		this.records = new KafkaRecords(events, this.topics);
		this.settings = settings;
		this.brokers = String
			.valueOf(producers.getConfigurationProperties().get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG));
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<SendResult> send(List<Envelope> messages) {
		// Closing gives it back; all calls share one.
		try (Producer<byte[], byte[]> producer = this.producers.createProducer()) {
			return new KafkaBatch(producer, this.records, this.topics, this.brokers, this.settings).send(messages);
		}
		catch (InterruptException | IllegalStateException ex) {
			// The application stops, or another call has just given up this producer.
			return unreachable(messages, ex);
		}
		catch (KafkaException ex) {
			// It cannot be made, or has come to a state from which it does not recover.
			this.producers.reset();
			return unreachable(messages, ex);
		}
	}

	private List<SendResult> unreachable(List<Envelope> messages, RuntimeException cause) {
		SendResult result = SendResult.unreachable(new UnreachableKafkaException(this.brokers, cause));
		return messages.stream().map((message) -> result).toList();
	}

	@Override
	public void close() {
		this.producers.destroy();
	}

}
