package io.whizbang.schema;

import java.util.logging.Level;

import liquibase.logging.Logger;
import liquibase.logging.core.AbstractLogService;
import liquibase.logging.core.AbstractLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Keeps what Liquibase says about every single change out of the application's log: one
 * line of ours tells it all.
 */
final class ChangelogLog extends AbstractLogService {

	private static final org.slf4j.Logger logger = LoggerFactory.getLogger(ChangelogRun.class);

	@Override
	public int getPriority() {
		return PRIORITY_NOT_APPLICABLE;
	}

	@Override
	@SuppressWarnings("rawtypes")
	public Logger getLog(Class type) {
		return new AbstractLogger() {

			@Override
			public void log(Level level, @Nullable String message, @Nullable Throwable failure) {
				if (level.equals(Level.WARNING) || level.equals(Level.SEVERE)) {
					logger.warn(message, failure);
				}
				else if (!level.equals(Level.OFF)) {
					logger.debug(message, failure);
				}
			}

		};
	}

}
