package io.whizbang.perspective;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners, whatever they make of it.
 */
final class Listeners {

	private static final Logger logger = LoggerFactory.getLogger(Listeners.class);

	private Listeners() {
	}

	static void tell(Runnable news) {
		try {
			news.run();
		}
		catch (RuntimeException ex) {
			// What it was told of is committed already.
			logger.warn("A listener of the perspectives failed", ex);
		}
	}

}
