package io.whizbang.queue;

import java.time.Duration;

/**
 * Hears what becomes of the messages of work queues, for metrics, logs and tests. Called
 * on the worker's threads: must be quick, and what it throws is ignored.
 */
public interface QueueListener {

	/** Hears nothing. */
	QueueListener NONE = new QueueListener() {
	};

	/** A batch was taken: how many messages it has, and how long the first had waited. */
	default void taken(QueueBatch batch, Duration lateness) {
	}

	/** A consumer has ended well: of how many messages, and how long it took. */
	default void consumed(QueueBatch batch, int messages, Duration took) {
	}

	/** A consumer has failed, and its messages are tried again or not. */
	default void failed(QueueBatch batch, Throwable failure, boolean again) {
	}

	/** The lock of a batch was over before its end could be told. */
	default void lost(QueueBatch batch) {
	}

	/** A round has failed. */
	default void roundFailed(Throwable failure) {
	}

}
