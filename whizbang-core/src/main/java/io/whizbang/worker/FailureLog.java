package io.whizbang.worker;

import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators of messages that did not end well: which, why in one line, and what
 * happens next. The whole error is kept with the message.
 */
final class FailureLog {

	private static final Logger logger = LoggerFactory.getLogger(FailureLog.class);

	private FailureLog() {
	}

	static void tell(Queue queue, Work work, Outcome outcome) {
		if (outcome instanceof Outcome.Retry retry) {
			logger.warn("Message {} of {} to {} failed at attempt {}; next try in {} ms: {}", work.envelope().id(),
					queue.label(), work.envelope().topic(), work.attempts() + 1, retry.delay().toMillis(),
					firstLine(retry.error()));
		}
		else if (outcome instanceof Outcome.Dead dead) {
			logger.warn("Message {} of {} to {} goes to the dead letters ({}): {}", work.envelope().id(), queue.label(),
					work.envelope().topic(), dead.reason(), firstLine(dead.error()));
		}
	}

	private static String firstLine(String text) {
		return text.lines().findFirst().orElse("");
	}

}
