package io.whizbang.worker;

import java.time.Duration;
import java.util.List;

import io.whizbang.work.Work;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts calls of the handler that take too long. It looks at the few that run, so
 * that no call needs a timer.
 */
final class Watchdog {

	private static final Logger logger = LoggerFactory.getLogger(Watchdog.class);

	private static final long GRACE = Duration.ofSeconds(5).toNanos();

	private final Duration timeout;

	Watchdog(Duration timeout) {
		this.timeout = timeout;
	}

	/**
	 * Interrupts what is over its time.
	 * @param running the calls under way
	 * @param now the time
	 * @return nanoseconds until the next look is needed
	 */
	long check(List<Running> running, long now) {
		long next = Long.MAX_VALUE;
		for (Running call : running) {
			long left = call.left(this.timeout, now);
			if (left > 0) {
				next = Math.min(next, left);
			}
			else if (call.timeOut()) {
				next = Math.min(next, GRACE);
			}
			else if (left + GRACE > 0) {
				next = Math.min(next, left + GRACE);
			}
			else if (call.reportStuck()) {
				Work stuck = call.parts().get(0).items().get(0).work();
				logger.warn(
						"The handler of message {} (topic {}) runs for more than {} and ignores its interrupt; the "
								+ "message and what is behind it in its stream will be taken over when the lease ends",
						stuck.envelope().id(), stuck.envelope().topic(), this.timeout);
			}
		}
		return next;
	}

}
