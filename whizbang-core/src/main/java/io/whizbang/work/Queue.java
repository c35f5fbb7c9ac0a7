package io.whizbang.work;

/**
 * A queue of messages in the database. The number is stored and never changes.
 */
public enum Queue {

	/** Messages on their way out of this application. */
	OUTBOX(1, "outbox"),

	/** Messages that came from elsewhere and wait for their receptors. */
	INBOX(2, "inbox"),

	/** Not messages but events on their way into read models. */
	PERSPECTIVES(3, "perspectives"),

	/** Messages of all work queues; their topic is the name of the queue. */
	QUEUES(5, "queues");

	private final int number;

	private final String label;

	Queue(int number, String label) {
		this.number = number;
		this.label = label;
	}

	public int number() {
		return this.number;
	}

	/**
	 * Returns the name for people: in logs, metrics and health.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

}
