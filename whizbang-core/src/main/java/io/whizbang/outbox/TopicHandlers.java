package io.whizbang.outbox;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.whizbang.work.DefinitionException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The topic handlers of the application, one per topic.
 */
public final class TopicHandlers {

	private final Map<String, Destination.ToHandler> handlers = new ConcurrentHashMap<>();

	private volatile boolean complete;

	/**
	 * Adds a handler.
	 * @param handler the handler
	 * @throws IllegalStateException when its topic has one already
	 */
	public void add(TopicHandler<?> handler) {
		String topic = handler.topic();
		Assert.hasText(topic, () -> "The handler %s must have a topic".formatted(handler));
		Destination.ToHandler other = this.handlers.putIfAbsent(topic,
				new Destination.ToHandler(handler, handler.payloadType()));
		if (other != null) {
			throw new DefinitionException(
					"Two handlers take topic \"%s\": %s and %s. Keep one, or let one of them call the other"
						.formatted(topic, other.handler(), handler));
		}
	}

	Destination.@Nullable ToHandler find(String topic) {
		return this.handlers.get(topic);
	}

	/**
	 * Returns all topics that have a handler.
	 * @return the topics
	 */
	public Set<String> topics() {
		return Set.copyOf(this.handlers.keySet());
	}

	/**
	 * Says that all handlers of the application have been added.
	 */
	public void complete() {
		this.complete = true;
	}

	boolean isComplete() {
		return this.complete;
	}

}
