package io.whizbang.control;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.whizbang.letter.Operator;
import io.whizbang.message.LogText;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.Pausable;
import io.whizbang.worker.WorkNotifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * The workers of the application, which operators pause and resume on all instances at
 * once. A pause is kept in the database, so that it outlives restarts and deployments.
 */
public final class Workers {

	private static final Logger logger = LoggerFactory.getLogger(Workers.class);

	private final JdbcControl database;

	private final List<Pausable> here;

	private final Set<String> names;

	private final PauseKeeper keeper;

	private final @Nullable WorkNotifier notifier;

	/**
	 * Creates the workers.
	 * @param database where pauses are kept
	 * @param here the workers of this instance
	 * @param elsewhere names of workers that other instances may have
	 * @param keeper applies pauses here
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	public Workers(JdbcControl database, Collection<Pausable> here, Collection<String> elsewhere, PauseKeeper keeper,
			@Nullable WorkNotifier notifier) {
		this.database = database;
		this.here = List.copyOf(here);
		this.names = new TreeSet<>(elsewhere);
		this.here.forEach((worker) -> this.names.add(worker.label()));
		this.keeper = keeper;
		this.notifier = notifier;
	}

	/**
	 * Returns the workers of this instance.
	 * @return the workers
	 */
	public List<Pausable> here() {
		return this.here;
	}

	/**
	 * Lists workers that are paused on all instances.
	 * @return who paused which
	 */
	public List<PausedWorker> paused() {
		return this.database.paused();
	}

	/**
	 * Pauses a worker on all instances, until it is resumed. Work that is under way ends.
	 * Returns when the pause is noted, before all have heard of it.
	 * @param worker name of the worker
	 * @param by who wants it, and why
	 * @return whether it was not paused before
	 * @throws IllegalArgumentException when there is no such worker
	 */
	public boolean pause(String worker, Operator by) {
		check(worker);
		boolean changed = this.database.pause(worker, by);
		if (changed) {
			logger.info("The worker {} is paused on all instances by {}{}", worker, LogText.of(by.name()),
					(by.note() != null) ? ": " + LogText.of(by.note()) : "");
		}
		tell();
		return changed;
	}

	/**
	 * Lets a worker go on, on all instances.
	 * @param worker name of the worker
	 * @param by who wants it
	 * @return whether it was paused
	 * @throws IllegalArgumentException when there is no such worker
	 */
	public boolean resume(String worker, Operator by) {
		check(worker);
		boolean changed = this.database.resume(worker);
		if (changed) {
			logger.info("The worker {} is resumed on all instances by {}", worker, LogText.of(by.name()));
		}
		tell();
		return changed;
	}

	private void check(String worker) {
		Assert.isTrue(this.names.contains(worker),
				() -> "The worker must be one of %s but is '%s'".formatted(this.names, worker));
	}

	private void tell() {
		this.keeper.look();
		if (this.notifier != null) {
			this.notifier.announce(new Announcement(PauseKeeper.LABEL, -1, null));
		}
	}

}
