package io.whizbang.perspective;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.whizbang.message.MessageLimits;
import io.whizbang.work.DefinitionException;

/**
 * The perspectives of the application.
 */
public final class PerspectiveHandlers {

	private final Map<Key, PerspectiveHandler> handlers = new LinkedHashMap<>();

	/**
	 * Returns perspectives that are known already.
	 * @param handlers the perspectives
	 * @return the perspectives
	 */
	public static PerspectiveHandlers of(Collection<PerspectiveHandler> handlers) {
		PerspectiveHandlers all = new PerspectiveHandlers();
		handlers.forEach(all::add);
		return all;
	}

	/**
	 * Adds a perspective.
	 * @param handler the perspective
	 * @throws IllegalStateException when it is not what it must be, or when another one
	 * has the same name and version
	 */
	public synchronized void add(PerspectiveHandler handler) {
		MessageLimits.checkName("name of the perspective %s".formatted(handler), handler.name());
		check(handler, "version", handler.version());
		check(handler, "number of shards", handler.shards());
		check(handler, "concurrency", handler.concurrency());
		int parts = handler.global() ? 1 : handler.shards();
		DefinitionException.check(handler.concurrency() <= parts,
				() -> "The concurrency of the perspective \"%s\" (%s) is %d, but it has only %d to work on at once; "
					.formatted(handler.name(), handler, handler.concurrency(), parts)
						+ (handler.global() ? "leave it out for a global perspective"
								: "give it more shards, or less of it"));
		PerspectiveHandler other = this.handlers.putIfAbsent(new Key(handler.name(), handler.version()), handler);
		DefinitionException.check(other == null,
				() -> "There are two perspectives with the name \"%s\" and the version %d, %s and %s. "
					.formatted(handler.name(), handler.version(), other, handler)
						+ "Progress is kept by name and version: give one of them another name, or the newer code a higher version");
	}

	private static void check(PerspectiveHandler handler, String what, int value) {
		DefinitionException.check(value >= 1, () -> "The %s of the perspective \"%s\" (%s) must be at least 1 but is %d"
			.formatted(what, handler.name(), handler, value));
	}

	/**
	 * Returns all perspectives.
	 * @return the perspectives, in the order in which they were added
	 */
	public synchronized List<PerspectiveHandler> all() {
		return List.copyOf(this.handlers.values());
	}

	public Stream<PerspectiveHandler> stream() {
		return all().stream();
	}

	public synchronized boolean isEmpty() {
		return this.handlers.isEmpty();
	}

	private record Key(String name, int version) {
	}

}
