package io.whizbang.perspective;

/**
 * One event could not be applied, and it is known which.
 */
final class EventFailedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient FeedEvent event;

	private final long reached;

	/**
	 * Creates a failure.
	 * @param event the event
	 * @param reached version at which its stream stops
	 * @param failure why
	 */
	EventFailedException(FeedEvent event, long reached, Throwable failure) {
		super(failure);
		this.event = event;
		this.reached = reached;
	}

	FeedEvent event() {
		return this.event;
	}

	long reached() {
		return this.reached;
	}

	Throwable failure() {
		Throwable cause = getCause();
		return (cause != null) ? cause : this;
	}

}
