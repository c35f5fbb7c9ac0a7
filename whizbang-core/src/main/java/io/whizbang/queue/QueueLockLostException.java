package io.whizbang.queue;

/**
 * The lock of a batch is over, or was never the caller's: others may have its messages by
 * now. Nothing has changed; undo what can be undone, and let the messages come again.
 */
public class QueueLockLostException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String queue;

	/**
	 * Creates an exception.
	 * @param action what was tried
	 * @param batch of which batch
	 */
	public QueueLockLostException(String action, QueueBatch batch) {
		super(("Cannot %s the %s: its lock has expired, or the token %s is not the one that it was locked with. Its "
				+ "messages come again, perhaps elsewhere. Renew the lock while work takes longer, or lock for longer")
			.formatted(action, batch.description(), batch.token()));
		this.queue = batch.queue();
	}

	public String queue() {
		return this.queue;
	}

}
