package io.whizbang.job;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker does beside its rounds: writes down once which jobs the code of this
 * application has, says now and then that it is there, and forgets old runs. Used by one
 * thread at a time.
 */
final class JobChores {

	private static final Logger logger = LoggerFactory.getLogger(JobChores.class);

	private static final Duration PAUSE = Duration.ofMinutes(1);

	private static final int PURGED = 500;

	private final JobParts parts;

	private final JobDefinitions definitions;

	private volatile boolean defined;

	private long doneAt = System.nanoTime();

	JobChores(JobParts parts) {
		this.parts = parts;
		this.definitions = new JobDefinitions(parts);
	}

	/** Has the jobs defined again. */
	void restart() {
		this.defined = false;
		this.doneAt = System.nanoTime();
	}

	/**
	 * Defines the jobs of the application, unless that is done.
	 * @return whether this has changed any of them
	 */
	boolean define() {
		if (this.defined) {
			return false;
		}
		boolean news = false;
		for (JobDefinition definition : this.parts.handlers().definitions()) {
			JobChange change = this.definitions.write(definition);
			if (change != JobChange.UNCHANGED) {
				logger.info("The job \"{}\" was {}", definition.name(),
						(change == JobChange.CREATED) ? "created" : "changed");
				news = true;
			}
		}
		this.parts.store().see(this.parts.handlers().names());
		this.defined = true;
		return news;
	}

	void run() {
		long now = System.nanoTime();
		if (now - this.doneAt < PAUSE.toNanos()) {
			return;
		}
		this.doneAt = now;
		this.parts.store().see(this.parts.handlers().names());
		purge();
	}

	/** Removes runs that need not be kept any more. */
	void purge() {
		JobSettings settings = this.parts.settings();
		int last;
		do {
			last = this.parts.store().purge(settings.keepRuns(), settings.maxRuns(), PURGED);
		}
		while (last == PURGED);
	}

}
