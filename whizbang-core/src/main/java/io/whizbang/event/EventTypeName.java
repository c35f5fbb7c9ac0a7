package io.whizbang.event;

import io.whizbang.message.MessageLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Name and version of an event type.
 *
 * @param name the name
 * @param version the version, from 1
 */
public record EventTypeName(String name, int version) {

	public EventTypeName {
		MessageLimits.checkName("event type", name);
		Assert.isTrue(version >= 1,
				() -> "The version of the event type \"%s\" must be at least 1 but is %d".formatted(name, version));
	}

	/**
	 * Returns what the annotation of a class says.
	 * @param type the class
	 * @return its name, or {@code null} when it is not annotated
	 */
	static @Nullable EventTypeName annotated(Class<?> type) {
		EventType annotation = type.getAnnotation(EventType.class);
		return (annotation != null) ? new EventTypeName(annotation.value(), annotation.version()) : null;
	}

	@Override
	public String toString() {
		return this.name + " v" + this.version;
	}

}
