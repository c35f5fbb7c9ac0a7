package io.whizbang.transport.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import io.whizbang.transport.Arrival;
import io.whizbang.transport.EventDefaults;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Turns records into what an intake takes, whoever wrote them.
 */
final class KafkaArrivals {

	private final KafkaSubscription subscription;

	KafkaArrivals(KafkaSubscription subscription) {
		this.subscription = subscription;
	}

	Arrival arrival(ConsumerRecord<byte[], byte[]> record) {
		Map<String, String> headers = new HashMap<>();
		for (Header header : record.headers()) {
			// Of headers with the same name, the last one holds.
			headers.put(header.key(), text(header.value()));
		}
		String key = (record.key() != null) ? text(record.key()) : null;
		String id = record.topic() + "-" + record.partition() + "-" + record.offset();
		return new Arrival(this.subscription.sourceOf(record.topic()), headers, record.value(),
				new EventDefaults(record.topic(), id, key), place(record, key));
	}

	private static Map<String, String> place(ConsumerRecord<byte[], byte[]> record, @Nullable String key) {
		Map<String, String> place = new LinkedHashMap<>();
		place.put("kafka-topic", record.topic());
		place.put("kafka-partition", String.valueOf(record.partition()));
		place.put("kafka-offset", String.valueOf(record.offset()));
		if (key != null) {
			place.put("kafka-key", key);
		}
		return place;
	}

	/**
	 * Keys and headers may be any bytes; what is no text that PostgreSQL can store
	 * becomes Base64.
	 */
	private static String text(byte @Nullable [] bytes) {
		if (bytes == null) {
			return "";
		}
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
			if (text.indexOf('\0') < 0) {
				return text;
			}
		}
		catch (CharacterCodingException ex) {
			// Not text.
		}
		return Base64.getEncoder().encodeToString(bytes);
	}

}
