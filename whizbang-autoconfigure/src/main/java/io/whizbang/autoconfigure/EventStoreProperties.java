package io.whizbang.autoconfigure;

import java.util.HashMap;
import java.util.Map;

import io.whizbang.event.EventStoreSettings;
import io.whizbang.event.EventTypeName;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of the event store.
 *
 * @param enabled Whether to enable the event store.
 * @param pageSize Number of events that are fetched at once.
 * @param types Classes by event type, for those without the annotation @EventType. Each
 * has a type, which is the name of the class, and a version if that is not 1.
 * @param publish Topics of the outbox that appended events go to, by event type or by
 * pattern with '*'. Other events are not published.
 */
@ConfigurationProperties("whizbang.events")
public record EventStoreProperties(@DefaultValue("true") boolean enabled, @DefaultValue("500") int pageSize,
		@DefaultValue Map<String, EventTypeMapping> types, @DefaultValue Map<String, String> publish) {

	private static final String PREFIX = "whizbang.events.";

	public EventStoreProperties {
		Requirement.atLeast(PREFIX + "page-size", 1, pageSize);
		types.forEach((name, mapping) -> {
			Requirement.atLeast(PREFIX + "types[" + name + "].version", 1, mapping.version());
			Assert.notNull(mapping.type(), () -> PREFIX + "types[" + name + "].type must name a class");
		});
		publish.forEach((type, topic) -> Assert.hasText(topic,
				() -> PREFIX + "publish[" + type + "] must not be blank but is '" + topic + "'"));
	}

	EventStoreSettings toSettings() {
		return EventStoreSettings.defaults().withPageSize(this.pageSize);
	}

	Map<Class<?>, EventTypeName> toNames() {
		Map<Class<?>, EventTypeName> names = new HashMap<>();
		this.types.forEach((name, mapping) -> {
			EventTypeName other = names.put(mapping.type(), new EventTypeName(name, mapping.version()));
			Assert.isNull(other, () -> "%stypes[%s].type must be another class: %s has the name '%s' already"
				.formatted(PREFIX, name, mapping.type().getName(), names.get(mapping.type())));
		});
		return names;
	}

}
