package io.whizbang.transport.kafka;

import java.nio.charset.StandardCharsets;

import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import io.whizbang.transport.CloudEvents;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Turns messages into records.
 */
final class KafkaRecords {

	/** The same in every record; nobody may change its bytes. */
	private static final Header CONTENT_TYPE = new RecordHeader(CloudEvents.CONTENT_TYPE, bytes(CloudEvents.JSON));

	private final CloudEvents events;

	private final KafkaTopics topics;

	KafkaRecords(CloudEvents events, KafkaTopics topics) {
		this.events = events;
		this.topics = topics;
	}

	ProducerRecord<byte[], byte[]> record(Envelope message) {
		RecordHeaders headers = new RecordHeaders();
		this.events.write(message, CloudEvents.KAFKA_PREFIX, (name, value) -> headers.add(name, bytes(value)));
		headers.add(CONTENT_TYPE);
		StreamId stream = message.stream();
		// Its time is that of the sending, by which Kafka deletes: a message that waited
		// long must not be gone before it is read.
		return new ProducerRecord<>(this.topics.name(message.topic()), null, null,
				(stream != null) ? bytes(stream.key()) : null, bytes(message.payload()), headers);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
