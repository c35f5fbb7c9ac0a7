package io.whizbang.event;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import io.whizbang.work.DefinitionException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Brings old events to the version that their type has now, one version at a time.
 */
final class Upcasters {

	/** Numbers leave as they came: money must not become a double on the way. */
	private static final JsonMapper TREES = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
		.build();

	private final Map<EventTypeName, Upcaster> steps = new HashMap<>();

	Upcasters(Collection<Upcaster> upcasters) {
		for (Upcaster upcaster : upcasters) {
			EventTypeName from = new EventTypeName(upcaster.type(), upcaster.fromVersion());
			Upcaster other = this.steps.putIfAbsent(from, upcaster);
			if (other != null) {
				throw new DefinitionException("There are two upcasters from %s, %s and %s; remove one".formatted(from,
						other.getClass().getName(), upcaster.getClass().getName()));
			}
		}
	}

	String upcast(EventTypeName stored, EventTypeName current, String json) {
		if (stored.version() > current.version()) {
			throw new EventTypeException(
					("An event has type %s, but the newest version known here is %d: a later release of "
							+ "the application wrote it. Read it with that one")
						.formatted(stored, current.version()));
		}
		if (stored.version() == current.version()) {
			return json;
		}
		JsonNode payload = TREES.readTree(json);
		for (int version = stored.version(); version < current.version(); version++) {
			payload = step(new EventTypeName(stored.name(), version), current).upcast(payload);
		}
		return TREES.writeValueAsString(payload);
	}

	private Upcaster step(EventTypeName from, EventTypeName current) {
		Upcaster step = this.steps.get(from);
		if (step == null) {
			throw new EventTypeException("There is no upcaster from %s, and %s is wanted; add a bean of type Upcaster"
				.formatted(from, current));
		}
		return step;
	}

}
