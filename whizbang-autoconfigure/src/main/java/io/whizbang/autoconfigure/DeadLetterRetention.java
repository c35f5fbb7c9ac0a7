package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.concurrent.Future;

import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.worker.WorkerLifecycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

/**
 * Discards dead letters whose time is over; has nothing to do, and no thread, unless told
 * how long to keep them. Every instance does it, and they do not disturb each other.
 */
final class DeadLetterRetention implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(DeadLetterRetention.class);

	private static final Duration PAUSE = Duration.ofMinutes(1);

	private final JdbcDeadLetters letters;

	private final @Nullable Duration retention;

	private final @Nullable Duration auditRetention;

	private @Nullable SimpleAsyncTaskScheduler scheduler;

	DeadLetterRetention(JdbcDeadLetters letters, @Nullable Duration retention, @Nullable Duration auditRetention) {
		this.letters = letters;
		this.retention = retention;
		this.auditRetention = auditRetention;
	}

	@Override
	public synchronized void start() {
		if (this.retention == null && this.auditRetention == null) {
			return;
		}
		SimpleAsyncTaskScheduler started = new SimpleAsyncTaskScheduler();
		started.setThreadNamePrefix("whizbang-retention-");
		started.setDaemon(true);
		// Ends with the scheduler, and throws nothing.
		Future<?> unused = started.scheduleWithFixedDelay(this::purge, PAUSE);
		this.scheduler = started;
	}

	private void purge() {
		try {
			if (this.retention != null) {
				this.letters.discardOlderThan(this.retention);
			}
			if (this.auditRetention != null) {
				this.letters.forgetDecisionsOlderThan(this.auditRetention);
			}
		}
		catch (RuntimeException ex) {
			logger.warn("Could not discard old dead letters; the next attempt is in {} s", PAUSE.toSeconds(), ex);
		}
	}

	@Override
	public synchronized void stop() {
		if (this.scheduler != null) {
			this.scheduler.close();
			this.scheduler = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.scheduler != null;
	}

	@Override
	public int getPhase() {
		return WorkerLifecycle.PHASE;
	}

}
