package io.whizbang.worker;

import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One worker's place among those that share its queue. Each worker has its own, so that
 * one can leave, or be refused, without the others of the process.
 */
public final class Membership {

	private final WorkCoordinator coordinator;

	private final CoordinatorSettings rules;

	private final InstanceInfo info;

	private final Queue queue;

	private volatile @Nullable UUID instance;

	private volatile @Nullable Integer session;

	private @Nullable Integer watched;

	public Membership(WorkCoordinator coordinator, CoordinatorSettings rules, InstanceInfo info, Queue queue) {
		this.coordinator = coordinator;
		this.rules = rules;
		this.info = info;
		this.queue = queue;
	}

	CoordinatorSettings rules() {
		return this.rules;
	}

	/**
	 * Returns the identity under which the worker is registered.
	 * @return the identity, or {@code null} when it is not
	 */
	public @Nullable UUID instance() {
		return this.instance;
	}

	/**
	 * Tells which database session dies with this process; heard of with the next
	 * exchange.
	 */
	void session(@Nullable Integer backendPid) {
		this.session = backendPid;
	}

	WorkBatch exchange(WorkReport report, WorkRequest request) {
		return this.coordinator.exchange(join(), this.queue, report, request);
	}

	/**
	 * Registers the worker unless it is.
	 * @return its identity
	 */
	UUID join() {
		UUID joined = this.instance;
		if (joined == null) {
			joined = this.coordinator.register(this.info, Set.of(this.queue));
			this.instance = joined;
			this.watched = null;
		}
		Integer session = this.session;
		if (!Objects.equals(session, this.watched)) {
			this.coordinator.watchSession(joined, session);
			this.watched = session;
		}
		return joined;
	}

	/** The registration is gone already. */
	void refused() {
		this.instance = null;
	}

	/** Gives back all that is held, and ends the registration. */
	void leave() {
		UUID leaving = this.instance;
		if (leaving != null) {
			this.instance = null;
			this.coordinator.leave(leaving);
		}
	}

}
