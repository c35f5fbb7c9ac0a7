package io.whizbang.letter;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What goes to the database as JSON: filters, of which most parts are absent, and
 * headers.
 */
final class LetterJson {

	private final JsonMapper mapper = JsonMapper.builder().build();

	String write(DeadLetterFilter filter) {
		ObjectNode node = this.mapper.createObjectNode();
		put(node, "source", filter.source());
		put(node, "reason", filter.reason());
		put(node, "topic", filter.topic());
		put(node, "type", filter.type());
		put(node, "stream_id", (filter.stream() != null) ? filter.stream().value() : null);
		put(node, "message_id", filter.messageId());
		put(node, "from", filter.from());
		put(node, "until", filter.until());
		return node.toString();
	}

	String olderThan(Duration age) {
		return this.mapper.createObjectNode().put("older_ms", age.toMillis()).toString();
	}

	private static void put(ObjectNode node, String name, @Nullable Object value) {
		if (value != null) {
			node.put(name, storable(value.toString()));
		}
	}

	/** PostgreSQL stores any character but one, and headers of others may hold it. */
	String write(Map<String, String> headers) {
		Map<String, String> storable = new HashMap<>();
		headers.forEach((name, value) -> storable.put(storable(name), storable(value)));
		return this.mapper.writeValueAsString(storable);
	}

	static String storable(String text) {
		return text.replace('\0', '\uFFFD');
	}

	@SuppressWarnings("unchecked")
	Map<String, String> readHeaders(String json) {
		return this.mapper.readValue(json, Map.class);
	}

}
