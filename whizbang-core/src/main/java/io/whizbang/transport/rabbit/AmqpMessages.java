package io.whizbang.transport.rabbit;

import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.transport.CloudEvents;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages as CloudEvents over AMQP, with the same also where AMQP itself has a
 * place for it.
 */
final class AmqpMessages {

	private static final int PERSISTENT = 2;

	/** What AMQP calls a short string. */
	private static final int MAX_SHORT_BYTES = 255;

	private final CloudEvents events;

	private final String service;

	AmqpMessages(CloudEvents events, String service) {
		this.events = events;
		this.service = service;
	}

	BasicProperties properties(Envelope message) {
		Map<String, Object> headers = new LinkedHashMap<>(this.events.write(message, CloudEvents.AMQP_PREFIX));
		return new BasicProperties.Builder().deliveryMode(PERSISTENT)
			.contentType(CloudEvents.JSON)
			.messageId(message.id().toString())
			.type(ifShort(message.type()))
			.correlationId(ifShort(message.header(HeaderNames.CORRELATION_ID)))
			.timestamp(Date.from(message.createdAt()))
			.appId(ifShort(this.service))
			.headers(headers)
			.build();
	}

	byte[] body(Envelope message) {
		return message.payload().getBytes(StandardCharsets.UTF_8);
	}

	/** The headers have it in full, whatever its length. */
	private static @Nullable String ifShort(@Nullable String text) {
		return (text != null && text.getBytes(StandardCharsets.UTF_8).length <= MAX_SHORT_BYTES) ? text : null;
	}

}
