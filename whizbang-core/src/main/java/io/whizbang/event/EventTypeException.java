package io.whizbang.event;

/**
 * The types of events are not what they must be for one of them to be written or read.
 */
public class EventTypeException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public EventTypeException(String message) {
		super(message);
	}

}
