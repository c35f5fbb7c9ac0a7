package io.whizbang.letter;

import io.whizbang.letter.AuditEntry.Action;
import io.whizbang.work.Queue;

/**
 * Hears what was decided about dead letters.
 */
@FunctionalInterface
public interface LetterListener {

	/** Hears nothing. */
	LetterListener NONE = (action, queue, count) -> {
	};

	/**
	 * Called after commit, on the thread that decided; must not block.
	 * @param action what was done
	 * @param queue the letters' queue
	 * @param count how many letters
	 */
	void decided(Action action, Queue queue, int count);

}
