package io.whizbang.perspective;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.whizbang.event.EventTypes;
import io.whizbang.perspective.JdbcFeed.EarlierEvents;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which types of events a perspective wants, asked once for each type that occurs.
 */
final class Interests {

	private static final Logger logger = LoggerFactory.getLogger(Interests.class);

	private final PerspectiveHandler handler;

	private final EventTypes types;

	private final JdbcFeed feed;

	private final Map<String, Boolean> wanted = new ConcurrentHashMap<>();

	private volatile Set<String> unwanted = Set.of();

	Interests(PerspectiveHandler handler, EventTypes types, JdbcFeed feed) {
		this.handler = handler;
		this.types = types;
		this.feed = feed;
	}

	/** Learns of all types in a page; those that were new are noted in the database. */
	void learn(Collection<FeedEvent> events) {
		Set<String> fresh = events.stream()
			.map((event) -> event.event().type().name())
			.filter((type) -> !this.wanted.containsKey(type))
			.collect(Collectors.toSet());
		if (!fresh.isEmpty()) {
			resolve(fresh);
		}
	}

	/**
	 * Finds streams without a checkpoint whose earlier events should have begun one.
	 * Types that come to light meanwhile are learned: what was never seen may be wanted.
	 * @param run the run
	 * @param begins the versions with which checkpoints are to begin
	 * @return the streams
	 */
	Set<UUID> missed(RunInfo run, Map<UUID, Long> begins) {
		Set<UUID> missed = new HashSet<>();
		Map<UUID, Long> open = new HashMap<>(begins);
		while (!open.isEmpty()) {
			Set<String> unknown = new HashSet<>();
			Set<UUID> again = new HashSet<>();
			for (EarlierEvents earlier : this.feed.earlier(run, open)) {
				String type = earlier.unknownType();
				if (type == null) {
					missed.add(earlier.stream());
				}
				else {
					unknown.add(type);
					again.add(earlier.stream());
				}
			}
			if (!unknown.isEmpty()) {
				resolve(unknown);
			}
			open.keySet().retainAll(again);
		}
		return missed;
	}

	private void resolve(Set<String> types) {
		Map<String, Boolean> resolved = new TreeMap<>();
		types.forEach((type) -> resolved.put(type, ask(type)));
		List<String> late = this.feed.note(this.handler.name(), this.handler.version(), resolved);
		if (!late.isEmpty()) {
			logger.warn("The perspective {} wants events of type {} now, but those so far were passed and are not in "
					+ "its model; rebuild it, or raise its version", this.handler.name(), late);
		}
		this.wanted.putAll(resolved);
		this.unwanted = this.wanted.entrySet()
			.stream()
			.filter((entry) -> !entry.getValue())
			.map(Map.Entry::getKey)
			.collect(Collectors.toUnmodifiableSet());
	}

	private boolean ask(String type) {
		return this.handler.interest().in(type, this.types.knows(type) ? this.types.classOf(type) : null);
	}

	boolean wants(FeedEvent event) {
		return this.wanted.getOrDefault(event.event().type().name(), false);
	}

	Set<String> unwanted() {
		return this.unwanted;
	}

}
