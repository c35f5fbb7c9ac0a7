package io.whizbang.inbox;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.whizbang.message.Envelope;
import io.whizbang.work.DefinitionException;

/**
 * The receptors of the application.
 */
public final class Receptors {

	/** Topics may be made up at run time; what is remembered must not grow with them. */
	private static final int MAX_REMEMBERED = 1000;

	private final Map<String, Subscription> byName = new LinkedHashMap<>();

	private final Map<Kind, List<Subscription>> remembered = new ConcurrentHashMap<>();

	/**
	 * Adds a receptor.
	 * @param name its name
	 * @param receptor the receptor
	 * @throws IllegalStateException when another one has the same name
	 */
	public synchronized void add(String name, Receptor<?> receptor) {
		Subscription added = new Subscription(name, receptor);
		Subscription other = this.byName.putIfAbsent(name, added);
		if (other != null) {
			throw new DefinitionException("Two receptors have the same name: %s and %s. ".formatted(other, added)
					+ "It is remembered by name which of them has handled a message; give one of them another");
		}
		this.remembered.clear();
	}

	/**
	 * Returns the names of all receptors.
	 * @return the names
	 */
	public synchronized Set<String> names() {
		return Set.copyOf(this.byName.keySet());
	}

	synchronized boolean isEmpty() {
		return this.byName.isEmpty();
	}

	/** Returns who takes a message, in the order in which they were added. */
	List<Subscription> find(Envelope message) {
		Kind kind = new Kind(message.topic(), message.type());
		List<Subscription> known = this.remembered.get(kind);
		if (known != null) {
			return known;
		}
		List<Subscription> found = find(kind);
		if (this.remembered.size() < MAX_REMEMBERED) {
			this.remembered.put(kind, found);
		}
		return found;
	}

	private synchronized List<Subscription> find(Kind kind) {
		return this.byName.values().stream().filter((each) -> each.takes(kind.topic(), kind.type())).toList();
	}

	private record Kind(String topic, String type) {
	}

}
