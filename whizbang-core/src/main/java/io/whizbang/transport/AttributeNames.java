package io.whizbang.transport;

import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;

/**
 * Names of the headers that carry the attributes of an event, put together once and not
 * once per message.
 */
final class AttributeNames {

	final String specVersion;

	final String id;

	final String source;

	final String type;

	final String time;

	final String subject;

	final String partitionKey;

	final String correlationId;

	final String causationId;

	private final String prefix;

	AttributeNames(String prefix) {
		this.prefix = prefix;
		this.specVersion = prefix + "specversion";
		this.id = prefix + "id";
		this.source = prefix + "source";
		this.type = prefix + "type";
		this.time = prefix + "time";
		this.subject = prefix + "subject";
		this.partitionKey = prefix + "partitionkey";
		this.correlationId = prefix + "correlationid";
		this.causationId = prefix + "causationid";
	}

	/** Says whether a header has the name of an attribute that the message has. */
	boolean isWritten(String header, Envelope message) {
		if (!header.startsWith(this.prefix)) {
			return false;
		}
		return switch (header.substring(this.prefix.length())) {
			case "specversion", "id", "source", "type", "time", "subject" -> true;
			case "partitionkey" -> message.stream() != null;
			case "correlationid" -> message.header(HeaderNames.CORRELATION_ID) != null;
			case "causationid" -> message.header(HeaderNames.CAUSATION_ID) != null;
			default -> false;
		};
	}

}
