package io.whizbang.event;

import java.util.Collection;
import java.util.List;

import io.whizbang.message.MessageLimits;
import io.whizbang.message.StreamId;

import org.springframework.util.Assert;

/**
 * Events for the end of a stream.
 *
 * @param stream the stream
 * @param expected where it must stand
 * @param events the events, in order
 */
public record StreamAppend(StreamId stream, ExpectedVersion expected, List<NewEvent> events) {

	public StreamAppend {
		MessageLimits.checkStream(stream);
		events = List.copyOf(events);
		Assert.notEmpty(events, () -> "There is nothing to append to the stream \"%s\"; give at least one event"
			.formatted(stream.key()));
	}

	/**
	 * Returns an append.
	 * @param stream the stream's key
	 * @param expected where it must stand
	 * @param events what happened, as plain objects or {@link NewEvent}s
	 * @return the append
	 */
	public static StreamAppend of(String stream, ExpectedVersion expected, Object... events) {
		return of(StreamId.of(stream), expected, List.of(events));
	}

	/**
	 * Returns an append.
	 * @param stream the stream
	 * @param expected where it must stand
	 * @param events what happened, as plain objects or {@link NewEvent}s
	 * @return the append
	 */
	public static StreamAppend of(StreamId stream, ExpectedVersion expected, Collection<?> events) {
		return new StreamAppend(stream, expected, events.stream().map(NewEvent::of).toList());
	}

}
