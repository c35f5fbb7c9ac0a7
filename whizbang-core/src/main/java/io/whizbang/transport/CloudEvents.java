package io.whizbang.transport;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Writes messages as CloudEvents 1.0 in binary mode, where the attributes are headers and
 * the payload stays as it is, and reads them back from whoever sent them.
 */
public final class CloudEvents {

	/** What stands before an attribute's name in a Kafka record. */
	public static final String KAFKA_PREFIX = "ce_";

	/** What stands before an attribute's name in an AMQP message. */
	public static final String AMQP_PREFIX = "cloudEvents:";

	/** Name of the header that says what the payload is. */
	public static final String CONTENT_TYPE = "content-type";

	/** What the payload is. */
	public static final String JSON = "application/json";

	/** Some clients cannot write a colon, others use the spelling of Kafka. */
	private static final List<String> PREFIXES = List.of(KAFKA_PREFIX, AMQP_PREFIX, "cloudEvents_");

	/** A content type of this kind says that attributes and payload are one document. */
	private static final String STRUCTURED = "application/cloudevents";

	/** Attributes that travel as headers of ours in the application. */
	private static final Map<String, String> EXTENSIONS = Map.of("correlationid", HeaderNames.CORRELATION_ID,
			"causationid", HeaderNames.CAUSATION_ID, HeaderNames.TRACE_PARENT, HeaderNames.TRACE_PARENT,
			HeaderNames.TRACE_STATE, HeaderNames.TRACE_STATE);

	private static final Map<String, AttributeNames> NAMES = PREFIXES.stream()
		.collect(Collectors.toUnmodifiableMap(Function.identity(), AttributeNames::new));

	private final EventTimes times = new EventTimes();

	private final String source;

	/**
	 * Creates a writer.
	 * @param source who sends: the attribute {@code source} of every event
	 */
	public CloudEvents(String source) {
		Assert.hasText(source, "The source of CloudEvents must not be blank");
		this.source = source;
	}

	/**
	 * Returns the headers of a message: its attributes, and then what travels under its
	 * own name. The content type is left to the broker, which may have a place for it.
	 * @param message the message
	 * @param prefix what stands before the name of an attribute
	 * @return the headers, in this order
	 */
	public Map<String, String> write(Envelope message, String prefix) {
		Map<String, String> headers = new LinkedHashMap<>();
		write(message, prefix, headers::put);
		return headers;
	}

	/**
	 * As {@link #write(Envelope, String)}, for who needs no map of them.
	 * @param message the message
	 * @param prefix what stands before the name of an attribute
	 * @param headers gets names and values, in this order, each name once
	 */
	public void write(Envelope message, String prefix, BiConsumer<String, String> headers) {
		AttributeNames known = NAMES.get(prefix);
		AttributeNames names = (known != null) ? known : new AttributeNames(prefix);
		StreamId stream = message.stream();
		headers.accept(names.specVersion, "1.0");
		headers.accept(names.id, message.id().toString());
		headers.accept(names.source, this.source);
		headers.accept(names.type, message.type());
		headers.accept(names.time, this.times.text(message.createdAt()));
		headers.accept(names.subject, message.topic());
		acceptIfPresent(headers, names.partitionKey, (stream != null) ? stream.key() : null);
		acceptIfPresent(headers, names.correlationId, message.header(HeaderNames.CORRELATION_ID));
		acceptIfPresent(headers, names.causationId, message.header(HeaderNames.CAUSATION_ID));
		message.headers().forEach((name, value) -> {
			if (!name.equals(HeaderNames.CORRELATION_ID) && !name.equals(HeaderNames.CAUSATION_ID)
					&& !name.equalsIgnoreCase(CONTENT_TYPE) && !names.isWritten(name, message)) {
				headers.accept(name, value);
			}
		});
	}

	private static void acceptIfPresent(BiConsumer<String, String> headers, String name, @Nullable String value) {
		if (value != null) {
			headers.accept(name, value);
		}
	}

	/**
	 * Reads what a broker delivers, be it from Whizbang, another sender of CloudEvents,
	 * or a sender that knows nothing of them. Attributes that have no place of their own
	 * stay among the headers as {@code ce_…}.
	 * @param headers the headers, attributes with any of the usual prefixes
	 * @param payload the payload, or {@code null} when there is none
	 * @param defaults what holds when the attributes do not say
	 * @return what was read
	 * @throws MalformedEventException when it cannot become a message
	 */
	public static ReceivedEvent read(Map<String, String> headers, byte @Nullable [] payload, EventDefaults defaults) {
		Map<String, String> attributes = new LinkedHashMap<>();
		Map<String, String> others = new LinkedHashMap<>();
		headers.forEach((name, value) -> {
			String attribute = attribute(name);
			if (attribute != null) {
				attributes.put(attribute, value);
			}
			else if (!name.equalsIgnoreCase(CONTENT_TYPE)) {
				others.put(name, value);
			}
			else if (value.startsWith(STRUCTURED)) {
				throw new MalformedEventException(
						"It is a CloudEvent in structured mode (content type %s); ".formatted(value)
								+ "send it in binary mode, with its attributes as headers");
			}
		});
		String specVersion = attributes.remove("specversion");
		String id = attributes.remove("id");
		if (id == null && specVersion != null) {
			throw new MalformedEventException("It is a CloudEvent without the attribute id");
		}
		id = text(id, defaults.id());
		if (id == null) {
			throw new MalformedEventException("It has no id; send one as the header ce_id");
		}
		String type = text(attributes.remove("type"), null);
		String stream = text(attributes.remove("partitionkey"), text(defaults.stream(), null));
		attributes
			.forEach((name, value) -> others.putIfAbsent(EXTENSIONS.getOrDefault(name, KAFKA_PREFIX + name), value));
		return new ReceivedEvent(id, defaults.topic(), type, stream, others, JsonText.of(payload));
	}

	/**
	 * Says whether an attribute is among the headers, with any of the usual prefixes.
	 * @param headers the headers
	 * @param name the attribute's name
	 * @return whether it is there
	 */
	public static boolean isPresent(Map<String, String> headers, String name) {
		return PREFIXES.stream().anyMatch((prefix) -> headers.containsKey(prefix + name));
	}

	private static @Nullable String attribute(String header) {
		for (String prefix : PREFIXES) {
			if (header.startsWith(prefix)) {
				return header.substring(prefix.length());
			}
		}
		return null;
	}

	private static @Nullable String text(@Nullable String value, @Nullable String otherwise) {
		return (value != null && !value.isBlank()) ? value : otherwise;
	}

}
