package io.whizbang.event;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import io.whizbang.message.StreamId;

/**
 * Keeps events in streams. What is appended exists if and only if the current transaction
 * commits; outside a transaction each call is one of its own.
 * <p>
 * Events are written at once, and their stream is locked until the transaction ends:
 * others that append to it wait. Events are never changed and never deleted.
 */
public interface EventStore {

	/**
	 * Appends events to a stream.
	 * @param stream the stream's key
	 * @param expected where the stream must stand
	 * @param events what happened, as plain objects or {@link NewEvent}s
	 * @return their place
	 * @throws OptimisticConcurrencyException when the stream does not stand there
	 */
	default Appended append(String stream, ExpectedVersion expected, Object... events) {
		return append(StreamId.of(stream), expected, List.of(events));
	}

	/**
	 * Appends events to a stream.
	 * @param stream the stream
	 * @param expected where the stream must stand
	 * @param events what happened, as plain objects or {@link NewEvent}s
	 * @return their place
	 * @throws OptimisticConcurrencyException when the stream does not stand there
	 */
	default Appended append(StreamId stream, ExpectedVersion expected, Collection<?> events) {
		return appendAll(List.of(StreamAppend.of(stream, expected, events))).get(0);
	}

	/**
	 * Appends events to several streams, all or none of them. The streams are locked in
	 * an order that cannot lead to deadlocks with other calls of this method.
	 * @param appends what to append, once for each stream
	 * @return the places, in the same order
	 * @throws OptimisticConcurrencyException when one of the streams does not stand where
	 * it was expected to
	 */
	List<Appended> appendAll(Collection<StreamAppend> appends);

	/**
	 * Reads a whole stream, oldest event first.
	 * @param stream the stream's key
	 * @return its events, as {@link #read(StreamId, long)} has them
	 */
	default Stream<StoredEvent> read(String stream) {
		return read(StreamId.of(stream), 1);
	}

	/**
	 * Reads a stream from a version on, oldest event first. Pages are fetched when they
	 * are needed, in the current transaction if there is one; nothing is held open
	 * between them.
	 * @param stream the stream
	 * @param fromVersion the first version to read
	 * @return the events; none when there is no such stream
	 */
	Stream<StoredEvent> read(StreamId stream, long fromVersion);

	/**
	 * Reads a page of a stream.
	 * @param stream the stream
	 * @param fromVersion the first version to read
	 * @param limit how many events at most
	 * @return the events, oldest first; fewer than the limit when the stream ends there
	 */
	List<StoredEvent> readPage(StreamId stream, long fromVersion, int limit);

	/**
	 * Reads a whole stream, newest event first.
	 * @param stream the stream's key
	 * @return its events
	 */
	default Stream<StoredEvent> readBackwards(String stream) {
		return readBackwards(StreamId.of(stream), Long.MAX_VALUE);
	}

	/**
	 * Reads a stream from a version down to the first, newest event first.
	 * @param stream the stream
	 * @param fromVersion the highest version to read
	 * @return the events; none when there is no such stream
	 */
	Stream<StoredEvent> readBackwards(StreamId stream, long fromVersion);

	/**
	 * Reads the events of all streams, in order of their positions.
	 * <p>
	 * Do not use the last position as a bookmark while others append: transactions that
	 * overlap commit in any order, so an event with a lower position may become visible
	 * later.
	 * @param afterPosition only events behind this position; 0 for all
	 * @param limit how many events at most
	 * @return the events
	 */
	Stream<StoredEvent> readAll(long afterPosition, int limit);

	/**
	 * Tells how a stream stands.
	 * @param stream the stream's key
	 * @return whether it exists, and its version
	 */
	default StreamInfo info(String stream) {
		return info(StreamId.of(stream));
	}

	/**
	 * Tells how a stream stands.
	 * @param stream the stream
	 * @return whether it exists, and its version
	 */
	StreamInfo info(StreamId stream);

}
