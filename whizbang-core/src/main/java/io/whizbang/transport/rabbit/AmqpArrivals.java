package io.whizbang.transport.rabbit;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.transport.Arrival;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.EventDefaults;
import io.whizbang.transport.rabbit.RabbitListenerSettings.MissingId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.util.StringUtils;

/**
 * Reads what RabbitMQ delivers. Where a CloudEvents attribute is missing, the property of
 * AMQP that means the same takes its place.
 */
final class AmqpArrivals {

	private static final Logger logger = LoggerFactory.getLogger(AmqpArrivals.class);

	private final RabbitListenerSettings settings;

	private final AtomicBoolean warned = new AtomicBoolean();

	AmqpArrivals(RabbitListenerSettings settings) {
		this.settings = settings;
	}

	Arrival read(Message message) {
		MessageProperties properties = message.getMessageProperties();
		String queue = String.valueOf(properties.getConsumerQueue());
		Map<String, String> headers = headers(properties);
		EventDefaults defaults = new EventDefaults(this.settings.topicOf(queue), id(properties, headers, queue), null);
		return new Arrival(this.settings.sourceOf(queue), headers, message.getBody(), defaults,
				place(properties, queue));
	}

	private static Map<String, String> headers(MessageProperties properties) {
		Map<String, String> headers = new HashMap<>();
		properties.getHeaders().forEach((name, value) -> put(headers, name, value));
		put(headers, CloudEvents.CONTENT_TYPE, properties.getContentType());
		if (!CloudEvents.isPresent(headers, "type")) {
			put(headers, CloudEvents.AMQP_PREFIX + "type", properties.getType());
		}
		if (!CloudEvents.isPresent(headers, "correlationid")) {
			put(headers, HeaderNames.CORRELATION_ID, properties.getCorrelationId());
		}
		return headers;
	}

	private static void put(Map<String, String> headers, String name, @Nullable Object value) {
		if (value != null) {
			headers.put(name.replace('\0', '?'), text(value));
		}
	}

	/**
	 * Values may be of any type of AMQP; what is no text that PostgreSQL can store
	 * becomes Base64.
	 */
	private static String text(Object value) {
		if (value instanceof byte[] bytes) {
			return Base64.getEncoder().encodeToString(bytes);
		}
		String text = value.toString();
		return (text.indexOf('\0') < 0) ? text : text((Object) text.getBytes(StandardCharsets.UTF_8));
	}

	private @Nullable String id(MessageProperties properties, Map<String, String> headers, String queue) {
		if (StringUtils.hasText(properties.getMessageId())) {
			return properties.getMessageId();
		}
		if (this.settings.missingId() == MissingId.REFUSE || CloudEvents.isPresent(headers, "id")) {
			return null;
		}
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("Messages in queue {} have no id, so one that is delivered twice will be handled twice; "
					+ "let the sender set the property message_id", queue);
		}
		return MessageId.next().toString();
	}

	private static Map<String, String> place(MessageProperties properties, String queue) {
		Map<String, String> place = new HashMap<>();
		place.put("rabbit-queue", queue);
		put(place, "rabbit-exchange", properties.getReceivedExchange());
		put(place, "rabbit-routing-key", properties.getReceivedRoutingKey());
		put(place, "rabbit-message-id", properties.getMessageId());
		return place;
	}

}
