package io.whizbang.job;

import java.time.Duration;

import io.whizbang.worker.JdbcRegistration;
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

	private final JdbcRegistration<JobDefinition> registration;

	private boolean news;

	private long doneAt = System.nanoTime();

	JobChores(JobParts parts) {
		this.parts = parts;
		this.definitions = new JobDefinitions(parts);
		this.registration = new JdbcRegistration<>(parts.store().dataSource(), parts.handlers()::definitions,
				(definition) -> "The job \"%s\"".formatted(definition.name()), this::write);
	}

	/** Has the jobs defined again. */
	void restart() {
		this.registration.restart();
		this.doneAt = System.nanoTime();
	}

	/**
	 * Defines those jobs of the application that are not defined yet.
	 * @return whether this has changed any of them
	 */
	boolean define() {
		if (this.registration.write()) {
			see();
		}
		boolean changed = this.news;
		this.news = false;
		return changed;
	}

	private void write(JobDefinition definition) {
		JobChange change = this.definitions.write(definition);
		if (change != JobChange.UNCHANGED) {
			logger.info("The job \"{}\" was {}", definition.name(),
					(change == JobChange.CREATED) ? "created" : "changed");
			this.news = true;
		}
	}

	private void see() {
		this.parts.store().see(this.parts.handlers().names());
	}

	/** Shortens a pause when there are jobs left to define. */
	Duration pause(Duration pause) {
		return this.registration.pause(pause);
	}

	void run() {
		long now = System.nanoTime();
		if (now - this.doneAt < PAUSE.toNanos()) {
			return;
		}
		this.doneAt = now;
		see();
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
