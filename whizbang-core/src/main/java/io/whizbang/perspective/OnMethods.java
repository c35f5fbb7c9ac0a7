package io.whizbang.perspective;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.whizbang.event.EventTypes;
import io.whizbang.event.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a perspective, one for each type of event at most. Which one is found
 * out once for each type.
 */
final class OnMethods implements Interest {

	private final List<OnMethod> methods;

	private final Map<String, List<OnMethod>> known = new ConcurrentHashMap<>();

	OnMethods(List<OnMethod> methods) {
		this.methods = List.copyOf(methods);
	}

	/** Who takes two methods for one type hears so by the failure of the event. */
	@Override
	public boolean in(String eventType, @Nullable Class<?> type) {
		return !best(eventType, type).isEmpty();
	}

	OnMethod of(StoredEvent event) {
		return one(event.type(), best(event.type(), event.payload().getClass()));
	}

	/**
	 * Looks for what will go wrong.
	 * @param types the event types of the application
	 * @throws IllegalStateException when something will
	 */
	void check(EventTypes types) {
		for (String name : types.names()) {
			Class<?> type = types.classOf(name);
			List<OnMethod> best = best(name, type);
			if (!best.isEmpty()) {
				one(name, best).checkCanTake(name, type);
			}
		}
		for (OnMethod method : this.methods) {
			Predicate<String> taken = (name) -> method.fit(name, types.classOf(name)) != null;
			method.check(!method.isByClass() || types.names().stream().anyMatch(taken),
					"takes %s, but there is no event type of that class. Annotate the class with @EventType and put it below "
						.formatted(method.payloadType())
							+ "the package of the @SpringBootApplication class, or name it in whizbang.events.types");
		}
	}

	private List<OnMethod> best(String eventType, @Nullable Class<?> type) {
		return this.known.computeIfAbsent(eventType, (name) -> find(name, type));
	}

	private List<OnMethod> find(String eventType, @Nullable Class<?> type) {
		List<Candidate> candidates = this.methods.stream()
			.map((method) -> new Candidate(method, method.fit(eventType, type)))
			.filter((candidate) -> candidate.fit() != null)
			.toList();
		return candidates.stream()
			.filter((candidate) -> candidates.stream().noneMatch((other) -> other.isBetterThan(candidate)))
			.map(Candidate::method)
			.toList();
	}

	private static OnMethod one(String eventType, List<OnMethod> best) {
		if (best.size() != 1) {
			throw new IllegalStateException(best.isEmpty()
					? "No method takes events of type \"%s\"".formatted(eventType)
					: "Events of type \"%s\" could go to %s as well as to %s, and only one of them can have them. "
						.formatted(eventType, best.get(0), best.get(1))
							+ "Name the type in the @On of the right one, or let the two take different types");
		}
		return best.get(0);
	}

	private record Candidate(OnMethod method, @Nullable Fit fit) {

		boolean isBetterThan(Candidate other) {
			return this.fit != null && other.fit != null && this.fit.isBetterThan(other.fit);
		}

	}

}
