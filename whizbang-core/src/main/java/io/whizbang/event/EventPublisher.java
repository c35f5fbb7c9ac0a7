package io.whizbang.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.whizbang.message.HeaderNames;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;

/**
 * Puts appended events into the outbox, in the same transaction, with the same stream and
 * in the same order. The message has the event's identity, so that who receives it twice
 * can tell.
 */
public final class EventPublisher {

	/** The outbox has a span of its own, which is the one to travel on. */
	private static final Set<String> TRACE = Set.of(HeaderNames.TRACE_PARENT, HeaderNames.TRACE_STATE,
			HeaderNames.BAGGAGE);

	private final Outbox outbox;

	private final EventTopics topics;

	/**
	 * Creates a publisher.
	 * @param outbox where events go
	 * @param topics which events go where
	 */
	public EventPublisher(Outbox outbox, EventTopics topics) {
		this.outbox = outbox;
		this.topics = topics;
	}

	void publish(List<Appended> appended, List<EncodedEvent> events) {
		List<OutboxMessage> messages = new ArrayList<>();
		int next = 0;
		for (Appended place : appended) {
			for (long version = place.firstVersion(); version <= place.lastVersion(); version++) {
				EncodedEvent event = events.get(next++);
				String topic = this.topics.topic(event.type().name());
				if (topic != null) {
					messages.add(message(topic, place, version, event));
				}
			}
		}
		this.outbox.enqueueAll(messages);
	}

	private static OutboxMessage message(String topic, Appended place, long version, EncodedEvent event) {
		NewEvent source = event.event();
		return OutboxMessage.to(topic, source.payload())
			.id(source.id())
			.type(event.type().name())
			.stream(place.stream().key())
			.headers(headers(source.metadata().values()))
			.header(HeaderNames.EVENT_VERSION, Long.toString(version))
			.header(HeaderNames.EVENT_TYPE_VERSION, Integer.toString(event.type().version()))
			.build();
	}

	private static Map<String, String> headers(Map<String, String> metadata) {
		return metadata.entrySet()
			.stream()
			.filter((entry) -> !TRACE.contains(entry.getKey()))
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

}
