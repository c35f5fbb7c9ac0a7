package io.whizbang.event;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.whizbang.work.DefinitionException;

import org.springframework.util.Assert;

/**
 * The event types of the application: one class for each name, one name for each class.
 * <p>
 * There is no name for a class that gives none: its own name would be stored for ever,
 * and break with the first refactoring.
 */
public final class EventTypes {

	private final Map<Class<?>, EventTypeName> names = new HashMap<>();

	private final Map<String, Class<?>> classes = new HashMap<>();

	/**
	 * Creates event types.
	 * @param annotated classes with the annotation {@link EventType}
	 * @param mapped names of classes, which win over an annotation
	 * @throws EventTypeException when two classes have one name
	 */
	public EventTypes(Collection<Class<?>> annotated, Map<Class<?>, EventTypeName> mapped) {
		mapped.forEach(this::add);
		for (Class<?> type : annotated) {
			EventTypeName name = EventTypeName.annotated(type);
			Assert.notNull(name, () -> "The class %s has no annotation @EventType".formatted(type.getName()));
			if (!this.names.containsKey(type)) {
				add(type, name);
			}
		}
	}

	/**
	 * Returns the event types of annotated classes.
	 * @param annotated the classes
	 * @return the types
	 */
	public static EventTypes of(Class<?>... annotated) {
		return new EventTypes(Arrays.asList(annotated), Map.of());
	}

	private void add(Class<?> type, EventTypeName name) {
		Class<?> other = this.classes.putIfAbsent(name.name(), type);
		if (other != null && other != type) {
			throw new DefinitionException("The event type \"%s\" belongs to two classes, %s and %s. "
				.formatted(name.name(), other.getName(), type.getName())
					+ "Give one of them another name; for older versions of a type write an Upcaster instead of keeping "
					+ "their class");
		}
		this.names.put(type, name);
	}

	/**
	 * Returns the name that events of a class are stored under.
	 * @param type the class
	 * @return the name
	 * @throws EventTypeException when the class has none
	 */
	public EventTypeName nameOf(Class<?> type) {
		EventTypeName name = this.names.get(type);
		if (name != null) {
			return name;
		}
		if (EventTypeName.annotated(type) != null) {
			throw new EventTypeException(
					("The class %s is annotated with @EventType but was not found when the application "
							+ "started, so its events could not be read again. Put it into a package below that of the "
							+ "@SpringBootApplication class, or name it in whizbang.events.types")
						.formatted(type.getName()));
		}
		throw new EventTypeException(
				("The class %s has no event type. Annotate it, as in @EventType(\"order-placed\"), or name it in "
						+ "whizbang.events.types; the name is stored with every event and must outlive the class's own")
					.formatted(type.getName()));
	}

	/**
	 * Returns the class that events are read as.
	 * @param name the name they are stored under
	 * @return the class
	 * @throws EventTypeException when there is none
	 */
	public Class<?> classOf(String name) {
		Class<?> type = this.classes.get(name);
		if (type == null) {
			throw new EventTypeException(
					("There is no class for the event type \"%s\". Annotate the class that its events are to be read as "
							+ "with @EventType(\"%s\"), or name it in whizbang.events.types")
						.formatted(name, name));
		}
		return type;
	}

	/**
	 * Returns the names of all types.
	 * @return the names
	 */
	public Set<String> names() {
		return Collections.unmodifiableSet(this.classes.keySet());
	}

	/**
	 * Tells whether events of this name can be read.
	 * @param name the name they are stored under
	 * @return whether there is a class for it
	 */
	public boolean knows(String name) {
		return this.classes.containsKey(name);
	}

}
