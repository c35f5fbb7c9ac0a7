package io.whizbang.perspective;

import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * A perspective whose model is an entity of JPA, for beans with
 * {@link Perspective @Perspective}. Its {@link On @On} methods may take the entity,
 * beside what such methods take anyway, and may return it. They run in a transaction of
 * JPA, which saves what they do:
 * <ul>
 * <li>what a method returns is kept: a new entity is inserted, and {@code null} deletes
 * the one that is there. It gets {@code null} when there is none yet.</li>
 * <li>a method that returns nothing changes the entity that it takes. When there is none,
 * it gets what {@link #create} returns; without that it fails.</li>
 * </ul>
 * Entities of one stream have the stream as their id, unless {@link #idOf(StoredEvent)}
 * says something else. A rebuild in place deletes them all, and a replay of a stream the
 * one of that stream.
 *
 * @param <E> the entity
 * @param <I> its id
 */
public interface EntityPerspective<E, I> {

	/**
	 * Returns the id of the entity that an event is about, by default that of its stream.
	 * Whoever overrides this one decides what a replay of a stream removes, by a method
	 * with {@link OnReset @OnReset}.
	 * @param event the event
	 * @return the id
	 */
	default I idOf(StoredEvent event) {
		return idOf(event.stream());
	}

	/**
	 * Returns the id of a stream's entity, by default the key of the stream for ids that
	 * are texts, and the stream's UUID for those that are UUIDs.
	 * @param stream the stream
	 * @return the id
	 */
	default I idOf(StreamId stream) {
		return EntityIds.of(this, stream);
	}

	/**
	 * Creates the entity for a method that needs one which is not there yet. It is
	 * inserted after the method has changed it.
	 * @param id its id
	 * @return the entity, or {@code null} when the event should not have come before it,
	 * which is a failure
	 */
	default @Nullable E create(I id) {
		return null;
	}

}
