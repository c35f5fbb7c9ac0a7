package io.whizbang.autoconfigure.endpoint;

import io.whizbang.letter.Operator;
import io.whizbang.message.LogText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.SecurityContext;

/**
 * Logs who has changed what, where no audit keeps it.
 */
final class OperatorLog {

	private static final Logger logger = LoggerFactory.getLogger(OperatorLog.class);

	private OperatorLog() {
	}

	/**
	 * Logs a change.
	 * @param security who made it
	 * @param action what was done, as in "pause"
	 * @param what to which kind of thing
	 * @param name which one
	 */
	static void changed(SecurityContext security, String action, String what, String name) {
		changed(Input.operator(null, null, security), action, what, name);
	}

	static void changed(Operator by, String action, String what, String name) {
		logger.info("{}: {} of the {} \"{}\"", LogText.of(by.name()), LogText.of(action), what, LogText.of(name));
	}

}
