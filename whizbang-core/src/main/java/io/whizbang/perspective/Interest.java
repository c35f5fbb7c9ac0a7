package io.whizbang.perspective;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Says which events a perspective wants. Asked once for every type of event that occurs,
 * never for every event.
 */
@FunctionalInterface
public interface Interest {

	/**
	 * Says whether events of a type are wanted.
	 * @param eventType the name that they are stored under
	 * @param type the class that they are read as, or {@code null} when there is none
	 * @return whether the perspective applies them
	 */
	boolean in(String eventType, @Nullable Class<?> type);

	/**
	 * Returns an interest in all events.
	 * @return the interest
	 */
	static Interest everything() {
		return (eventType, type) -> true;
	}

	/**
	 * Returns an interest in types by name.
	 * @param names names that events are stored under, names of classes with or without
	 * their package, or patterns with {@code *} for either
	 * @return the interest
	 */
	static Interest of(String... names) {
		Assert.notEmpty(names, "An interest needs at least one name; Interest.everything() is one in all events");
		List<TypeName> all = Arrays.stream(names).map(TypeName::new).toList();
		return (eventType, type) -> all.stream().anyMatch((name) -> name.fit(eventType, type) != null);
	}

	/**
	 * Returns an interest in the events of classes.
	 * @param classes the classes of events, or what these extend or implement
	 * @return the interest
	 */
	static Interest of(Class<?>... classes) {
		Assert.notEmpty(classes, "An interest needs at least one class; Interest.everything() is one in all events");
		List<Class<?>> all = List.of(classes);
		return (eventType, type) -> type != null && all.stream().anyMatch((each) -> each.isAssignableFrom(type));
	}

}
