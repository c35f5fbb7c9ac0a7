package io.whizbang.perspective;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.whizbang.event.EventTypes;
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
		Map<String, Boolean> fresh = new TreeMap<>();
		for (FeedEvent event : events) {
			String type = event.event().type().name();
			if (!this.wanted.containsKey(type)) {
				fresh.computeIfAbsent(type, this::ask);
			}
		}
		if (fresh.isEmpty()) {
			return;
		}
		List<String> late = this.feed.note(this.handler.name(), this.handler.version(), fresh);
		if (!late.isEmpty()) {
			logger.warn("The perspective {} wants events of type {} now, but those so far were passed and are not in "
					+ "its model; raise its version to have it rebuilt", this.handler.name(), late);
		}
		this.wanted.putAll(fresh);
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
