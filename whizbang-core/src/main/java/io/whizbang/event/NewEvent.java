package io.whizbang.event;

import io.whizbang.message.MessageId;

import org.springframework.util.Assert;

/**
 * An event on its way into a stream.
 *
 * @param id identity
 * @param payload what happened; an object whose class has an event type
 * @param metadata what is known beside it, over what is known anyway
 */
public record NewEvent(MessageId id, Object payload, EventMetadata metadata) {

	public NewEvent {
		Assert.notNull(payload, "An event must not be null");
		Assert.isTrue(!(payload instanceof NewEvent), "The payload of an event must not be a NewEvent itself");
	}

	/**
	 * Returns the event for an object: itself when it is one already.
	 * @param event what happened, or an event
	 * @return the event
	 */
	public static NewEvent of(Object event) {
		return (event instanceof NewEvent already) ? already
				: new NewEvent(MessageId.next(), event, EventMetadata.NONE);
	}

	public NewEvent withId(MessageId id) {
		return new NewEvent(id, this.payload, this.metadata);
	}

	/**
	 * Returns the event with more metadata.
	 * @param more what to add; it wins over what the event has
	 * @return the event
	 */
	public NewEvent with(EventMetadata more) {
		return new NewEvent(this.id, this.payload, this.metadata.and(more));
	}

}
