package io.whizbang.perspective;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.PatternMatchUtils;

/**
 * A text that names types of events: a stored name, the name of a class with or without
 * its package, or a pattern for either.
 *
 * @param text the text
 */
record TypeName(String text) {

	TypeName {
		Assert.hasText(text, "The name of an event type must not be blank; \"*\" stands for all events");
	}

	/**
	 * Compares whole names: OrderPlacedV2 is no OrderPlaced.
	 * @param eventType the name that events are stored under
	 * @param type the class that they are read as, or {@code null}
	 * @return how it fits, or {@code null} when it does not
	 */
	@Nullable Fit fit(String eventType, @Nullable Class<?> type) {
		if (this.text.contains("*")) {
			return (matches(eventType) || (type != null && matches(type.getName()))) ? Fit.byPattern(this.text) : null;
		}
		if (this.text.equals(eventType)) {
			return Fit.exact();
		}
		Class<?> named = (type != null) ? named(type) : null;
		if (named != null) {
			return Fit.byClass(named);
		}
		// Events may have been stored under the full names of classes that are gone.
		return this.text.equals(simpleName(eventType)) ? Fit.bySimpleName() : null;
	}

	private boolean matches(String name) {
		return PatternMatchUtils.simpleMatch(this.text, name);
	}

	/** The nearest of the class and all that it extends or implements. */
	private @Nullable Class<?> named(Class<?> type) {
		Deque<Class<?>> open = new ArrayDeque<>(List.of(type));
		while (!open.isEmpty()) {
			Class<?> each = open.remove();
			if (each != Object.class && names(each)) {
				return each;
			}
			if (each.getSuperclass() != null) {
				open.add(each.getSuperclass());
			}
			open.addAll(List.of(each.getInterfaces()));
		}
		return null;
	}

	private boolean names(Class<?> type) {
		return this.text.equals(type.getName()) || this.text.equals(type.getCanonicalName())
				|| this.text.equals(type.getSimpleName());
	}

	private static String simpleName(String name) {
		return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
	}

}
