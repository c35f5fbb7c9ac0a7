package io.whizbang.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.fanout.FanoutWorker;
import io.whizbang.job.JobWorker;
import io.whizbang.join.JoinWorker;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.queue.QueueWorker;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;

/**
 * A worker that works when a test tells it to, on the test's own thread: when a call
 * returns, all that it did is done and reported.
 * <p>
 * It is an instance like any other: while others work on the same queue it gets only its
 * share, so an application under test should not start workers of its own.
 */
public final class ManualWorker implements AutoCloseable {

	private final WorkCoordinator coordinator;

	private final RecordingListener listener;

	private final List<Membership> memberships = new ArrayList<>();

	private final List<WorkPump> pumps = new ArrayList<>();

	private final @Nullable PerspectiveWorker perspectives;

	private final @Nullable JobWorker jobs;

	private final @Nullable FanoutWorker fanouts;

	private final @Nullable JoinWorker joins;

	private final @Nullable QueueWorker workQueues;

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
		this(List.of(what), coordinator, rules, settings);
	}

	/**
	 * Creates a worker for several queues.
	 * @param queues what to do with the messages of each queue
	 * @param coordinator where the messages are
	 * @param rules the rules that the coordinator goes by
	 * @param settings how much to take at once, and the like
	 */
	public ManualWorker(List<QueueWork> queues, WorkCoordinator coordinator, CoordinatorSettings rules,
			WorkerSettings settings) {
		this(queues, coordinator, rules, settings, null, null);
	}

	/**
	 * Creates a worker for several queues, for perspectives and for jobs.
	 * @param queues what to do with the messages of each queue
	 * @param coordinator where the messages are
	 * @param rules the rules that the coordinator goes by
	 * @param settings how much to take at once, and the like
	 * @param perspectives applies events, with an executor that runs tasks at once, or
	 * {@code null} when there are none
	 * @param jobs fires and runs jobs, with an executor that runs tasks at once, or
	 * {@code null} when there are none
	 */
	public ManualWorker(List<QueueWork> queues, WorkCoordinator coordinator, CoordinatorSettings rules,
			WorkerSettings settings, @Nullable PerspectiveWorker perspectives, @Nullable JobWorker jobs) {
		this(queues, coordinator, rules, settings, perspectives, jobs, null, null, null);
	}

	/**
	 * Creates a worker for everything.
	 * @param queues what to do with the messages of each queue
	 * @param coordinator where the messages are
	 * @param rules the rules that the coordinator goes by
	 * @param settings how much to take at once, and the like
	 * @param perspectives applies events, with an executor that runs tasks at once, or
	 * {@code null} when there are none
	 * @param jobs fires and runs jobs, with an executor that runs tasks at once, or
	 * {@code null} when there are none
	 * @param fanouts asks planners, with an executor that runs tasks at once, or
	 * {@code null} when there are none
	 * @param joins counts what members report, or {@code null} when there are none
	 * @param workQueues consumes work queues, with an executor that runs tasks at once,
	 * or {@code null} when there are none
	 */
	public ManualWorker(List<QueueWork> queues, WorkCoordinator coordinator, CoordinatorSettings rules,
			WorkerSettings settings, @Nullable PerspectiveWorker perspectives, @Nullable JobWorker jobs,
			@Nullable FanoutWorker fanouts, @Nullable JoinWorker joins, @Nullable QueueWorker workQueues) {
		this.fanouts = fanouts;
		this.joins = joins;
		this.workQueues = workQueues;
		this.perspectives = perspectives;
		this.jobs = jobs;
		this.coordinator = coordinator;
		this.listener = new RecordingListener(queues.stream().map(QueueWork::listener).distinct().toList());
		InstanceInfo info = new InstanceInfo("manual-worker", "localhost", ProcessHandle.current().pid(), Map.of());
		for (QueueWork what : queues) {
			Membership membership = new Membership(coordinator, rules, info, what.queue());
			QueueWork recorded = new QueueWork(what.queue(), what.handler(), what.retries(), this.listener);
			this.memberships.add(membership);
			this.pumps.add(new WorkPump(recorded, membership, settings, Runnable::run, () -> false));
		}
	}

	/**
	 * Claims once, from every queue, does the claimed work and reports it.
	 * @return what was tried, in order, with what became of it; empty when there was
	 * nothing to claim
	 */
	public List<Ended> runOnce() {
		this.pumps.forEach((pump) -> {
			pump.runOnce();
			pump.flush();
		});
		return this.listener.takeAll();
	}

	/**
	 * Goes on until there is nothing left to claim in any queue, no event left to apply
	 * to any perspective, no job to fire or run, no planner to ask, no member of a join
	 * to count, and no work queue to consume. Messages that wait for a retry or a later
	 * time stay; {@link DatabaseClock#advance} makes them due. So do streams of
	 * perspectives that have failed; {@code Perspectives.retry} makes these due.
	 * @return what was tried of the queues, in order, with what became of it
	 */
	public List<Ended> runUntilIdle() {
		int claimed;
		boolean applied;
		boolean ran;
		do {
			// What one queue brings may go to another one, or become an event.
			ran = this.jobs != null && this.jobs.runUntilIdle();
			ran |= this.fanouts != null && this.fanouts.runUntilIdle();
			ran |= this.workQueues != null && this.workQueues.runUntilIdle();
			claimed = this.pumps.stream().mapToInt(WorkPump::runUntilIdle).sum();
			ran |= this.joins != null && this.joins.runUntilIdle();
			applied = this.perspectives != null && this.perspectives.runUntilIdle();
		}
		while ((claimed > 0 && this.pumps.size() > 1) || applied || ran);
		return this.listener.takeAll();
	}

	/**
	 * Gives back what it holds and leaves the queue to others.
	 */
	@Override
	public void close() {
		if (this.perspectives != null) {
			this.perspectives.leaveNow();
		}
		this.memberships.stream().map(Membership::instance).filter(Objects::nonNull).forEach(this.coordinator::leave);
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
