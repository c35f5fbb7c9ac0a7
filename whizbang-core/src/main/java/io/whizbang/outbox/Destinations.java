package io.whizbang.outbox;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.handler.TopicPatterns;
import io.whizbang.transport.Transport;
import io.whizbang.work.DefinitionException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Knows where messages to a topic go: where the router or a route says, else to the
 * topic's handler, else to the only transport.
 */
public final class Destinations implements TopicCheck {

	private final Map<String, Destination.ToTransport> transports = new LinkedHashMap<>();

	private final TopicHandlers handlers;

	private final @Nullable OutboxRouter router;

	private final TopicPatterns<String> routes;

	/**
	 * Creates the destinations.
	 * @param routes topics and patterns to names of transports, or to
	 * {@link OutboxSettings#HANDLERS}
	 * @param router the application's router, or {@code null}
	 * @param transports all transports
	 * @param handlers the topic handlers
	 */
	public Destinations(Map<String, String> routes, @Nullable OutboxRouter router,
			Collection<? extends Transport> transports, TopicHandlers handlers) {
		transports.forEach(this::add);
		routes.forEach(this::checkRoute);
		this.routes = new TopicPatterns<>(Map.copyOf(routes));
		this.router = router;
		this.handlers = handlers;
	}

	private void add(Transport transport) {
		String name = transport.name();
		DefinitionException.check(StringUtils.hasText(name),
				() -> "The transport %s must have a name".formatted(transport.getClass().getName()));
		DefinitionException.check(!name.equals(OutboxSettings.HANDLERS),
				() -> "The transport %s must not be named \"%s\": that is the route to topic handlers"
					.formatted(transport.getClass().getName(), name));
		Destination.ToTransport other = this.transports.putIfAbsent(name, new Destination.ToTransport(transport));
		if (other != null) {
			throw new DefinitionException("Two transports are named \"%s\": %s and %s; rename one".formatted(name,
					other.transport().getClass().getName(), transport.getClass().getName()));
		}
	}

	private void checkRoute(String topic, String name) {
		if (!name.equals(OutboxSettings.HANDLERS) && !this.transports.containsKey(name)) {
			throw new UnknownTransportException(
					"The route of topic \"%s\" leads to \"%s\", but there is no such transport; known are %s and \"%s\""
						.formatted(topic, name, this.transports.keySet(), OutboxSettings.HANDLERS));
		}
	}

	List<String> transports() {
		return List.copyOf(this.transports.keySet());
	}

	Destination find(String topic) {
		String route = (this.router != null) ? this.router.route(topic) : null;
		if (route == null) {
			route = this.routes.find(topic);
		}
		if (route != null) {
			return find(topic, route);
		}
		Destination handler = this.handlers.find(topic);
		if (handler != null) {
			return handler;
		}
		List<Destination.ToTransport> takers = this.transports.values()
			.stream()
			.filter((to) -> to.transport().takesUnroutedTopics())
			.toList();
		if (takers.size() == 1) {
			return takers.get(0);
		}
		return new Destination.Nowhere(takers.isEmpty()
				? "no handler or transport for topic \"%s\"; add an @OutboxHandler, a Transport or a route"
					.formatted(topic)
				: "no handler for topic \"%s\" and more than one transport %s; add a route".formatted(topic,
						takers.stream().map((to) -> to.transport().name()).toList()));
	}

	private Destination find(String topic, String route) {
		if (route.equals(OutboxSettings.HANDLERS)) {
			Destination handler = this.handlers.find(topic);
			return (handler != null) ? handler : new Destination.Nowhere(
					"no handler for topic \"%s\", which is routed to handlers".formatted(topic));
		}
		Destination transport = this.transports.get(route);
		return (transport != null) ? transport
				: new Destination.Nowhere("no transport \"%s\", where the router sends topic \"%s\"; known are %s"
					.formatted(route, topic, this.transports.keySet()));
	}

	/**
	 * Refuses a topic that nobody takes. While the application is still starting and its
	 * handlers are not known, every topic is accepted.
	 */
	@Override
	public void check(String topic) {
		if (this.handlers.isComplete() && find(topic) instanceof Destination.Nowhere nowhere) {
			throw new UnroutableTopicException("Cannot enqueue: " + nowhere.reason());
		}
	}

}
