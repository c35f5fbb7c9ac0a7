package io.whizbang.event;

import java.util.HashMap;
import java.util.Map;

import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What is known about an event beside what it says.
 *
 * @param values texts by name
 */
public record EventMetadata(Map<String, String> values) {

	/** Who did it. */
	public static final String USER = "user";

	/** Nothing is known. */
	public static final EventMetadata NONE = new EventMetadata(Map.of());

	private static final int MAX_CHARACTERS = 16 * 1024;

	public EventMetadata {
		values = Map.copyOf(values);
		int size = 0;
		for (Map.Entry<String, String> entry : values.entrySet()) {
			MessageLimits.checkName("metadata name", entry.getKey());
			Assert.isTrue(entry.getValue().indexOf('\0') < 0,
					() -> "The metadata \"%s\" contains the character U+0000, which PostgreSQL cannot store; remove it"
						.formatted(entry.getKey()));
			size += entry.getKey().length() + entry.getValue().length();
		}
		int total = size;
		Assert.isTrue(total <= MAX_CHARACTERS,
				() -> "The metadata of an event has %d characters, more than %d; move some into the event"
					.formatted(total, MAX_CHARACTERS));
	}

	/**
	 * Returns metadata that says who did it.
	 * @param user any text
	 * @return the metadata
	 */
	public static EventMetadata ofUser(String user) {
		return NONE.with(USER, user);
	}

	/**
	 * Returns metadata with one more text.
	 * @param name its name; one of the same name is replaced
	 * @param value the text
	 * @return the metadata
	 */
	public EventMetadata with(String name, String value) {
		return and(new EventMetadata(Map.of(name, value)));
	}

	/**
	 * Returns these metadata and others.
	 * @param others the others, which win
	 * @return the metadata
	 */
	public EventMetadata and(EventMetadata others) {
		if (this.values.isEmpty()) {
			return others;
		}
		if (others.values.isEmpty()) {
			return this;
		}
		Map<String, String> all = new HashMap<>(this.values);
		all.putAll(others.values);
		return new EventMetadata(all);
	}

	public @Nullable String get(String name) {
		return this.values.get(name);
	}

	/**
	 * Returns what ties together all that one request has led to.
	 * @return the identity, or {@code null}
	 */
	public @Nullable String correlationId() {
		return get(HeaderNames.CORRELATION_ID);
	}

	/**
	 * Returns the identity of the message whose handling appended the event.
	 * @return the identity, or {@code null}
	 */
	public @Nullable String causationId() {
		return get(HeaderNames.CAUSATION_ID);
	}

	public @Nullable String user() {
		return get(USER);
	}

	/**
	 * Returns the span that appended the event, as W3C trace context.
	 * @return the trace parent, or {@code null}
	 */
	public @Nullable String traceParent() {
		return get(HeaderNames.TRACE_PARENT);
	}

}
