package io.whizbang.test;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.WorkerSettings;

/**
 * A worker that works when a test tells it to, on the test's own thread: when a call
 * returns, all that it did is done and reported.
 * <p>
 * It is an instance like any other: while others work on the same queue it gets only its
 * share, so an application under test should not start workers of its own.
 */
public final class ManualWorker implements AutoCloseable {

	private final WorkCoordinator coordinator;

	private final Membership membership;

	private final RecordingListener listener;

	private final WorkPump pump;

	/**
	 * Creates a worker with the usual settings.
	 * @param what what to do with the messages of which queue
	 * @param coordinator where the messages are
	 * @param rules the rules that the coordinator goes by
	 */
	public ManualWorker(QueueWork what, WorkCoordinator coordinator, CoordinatorSettings rules) {
		this(what, coordinator, rules, WorkerSettings.defaults());
	}

	/**
	 * Creates a worker.
	 * @param what what to do with the messages of which queue
	 * @param coordinator where the messages are
	 * @param rules the rules that the coordinator goes by
	 * @param settings how much to take at once, and the like
	 */
	public ManualWorker(QueueWork what, WorkCoordinator coordinator, CoordinatorSettings rules,
			WorkerSettings settings) {
		this.coordinator = coordinator;
		InstanceInfo info = new InstanceInfo("manual-worker", "localhost", ProcessHandle.current().pid(), Map.of());
		this.membership = new Membership(coordinator, rules, info, what.queue());
		this.listener = new RecordingListener(List.of(what.listener()));
		QueueWork recorded = new QueueWork(what.queue(), what.handler(), what.retries(), this.listener);
		this.pump = new WorkPump(recorded, this.membership, settings, Runnable::run, () -> false);
	}

	/**
	 * Claims once, does the claimed work and reports it.
	 * @return what was tried, in order, with what became of it; empty when there was
	 * nothing to claim
	 */
	public List<Ended> runOnce() {
		this.pump.runOnce();
		this.pump.flush();
		return this.listener.takeAll();
	}

	/**
	 * Goes on until there is nothing left to claim. Messages that wait for a retry or a
	 * later time stay; {@link DatabaseClock#advance} makes them due.
	 * @return what was tried, in order, with what became of it
	 */
	public List<Ended> runUntilIdle() {
		this.pump.runUntilIdle();
		return this.listener.takeAll();
	}

	/**
	 * Gives back what it holds and leaves the queue to others.
	 */
	@Override
	public void close() {
		UUID instance = this.membership.instance();
		if (instance != null) {
			this.coordinator.leave(instance);
		}
	}

	/**
	 * A piece of work that has ended, well or not.
	 *
	 * @param work the work
	 * @param outcome what became of it
	 */
	public record Ended(Work work, Outcome outcome) {
	}

}
