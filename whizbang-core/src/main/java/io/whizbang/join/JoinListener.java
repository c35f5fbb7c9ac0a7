package io.whizbang.join;

/**
 * Hears what becomes of joins, for metrics, logs and tests. Called on the worker's
 * thread: must be quick, and what it throws is ignored.
 */
public interface JoinListener {

	/** Hears nothing. */
	JoinListener NONE = new JoinListener() {
	};

	/** Reports were counted, and that is committed. */
	default void counted(int reports) {
	}

	/** A join was closed, and that is committed with what follows. */
	default void closed(JoinResult result) {
	}

	/** What follows could not be enqueued; the join stays open, and is tried again. */
	default void followUpFailed(JoinResult result, Throwable failure) {
	}

	/** A round has failed. */
	default void roundFailed(Throwable failure) {
	}

}
