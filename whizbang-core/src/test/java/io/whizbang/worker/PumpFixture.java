package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.WorkListener;

/**
 * A pump with everything around it under the test's control.
 */
final class PumpFixture {

	static final Duration LEASE = Duration.ofSeconds(100);

	static final Duration HEARTBEAT = Duration.ofSeconds(10);

	static final CoordinatorSettings RULES = new CoordinatorSettings(LEASE, HEARTBEAT, Duration.ofSeconds(30),
			Duration.ofMinutes(10), FakeCoordinator.PARTITIONS, null, false, false);

	static final RetryPolicy RETRY = RetryPolicy.defaults().withDelays(Duration.ofSeconds(1), Duration.ofSeconds(1));

	final ManualClock clock = new ManualClock();

	final FakeCoordinator database = new FakeCoordinator(LEASE, this.clock);

	final ManualExecutor executor = new ManualExecutor();

	final RecordingHandler handler = new RecordingHandler();

	final List<Announcement> announced = new ArrayList<>();

	boolean listening = true;

	final WorkPump pump;

	PumpFixture(UnaryOperator<WorkerSettings> settings) {
		WorkerSettings applied = settings.apply(WorkerSettings.defaults().withConcurrency(4).withHandOver(10));
		this.pump = pump(this.database, this.handler, applied, this.executor, this.clock);
	}

	PumpFixture() {
		this(UnaryOperator.identity());
	}

	WorkPump pump(FakeCoordinator database, RecordingHandler handler, WorkerSettings settings, Executor executor,
			LongSupplier clock) {
		return pump(database, handler, settings, executor, () -> this.listening, this.announced::add, clock);
	}

	static WorkPump pump(FakeCoordinator database, RecordingHandler handler, WorkerSettings settings, Executor executor,
			BooleanSupplier listening, LongSupplier clock) {
		return pump(database, handler, settings, executor, listening, (announcement) -> {
		}, clock);
	}

	private static WorkPump pump(FakeCoordinator database, RecordingHandler handler, WorkerSettings settings,
			Executor executor, BooleanSupplier listening, Consumer<Announcement> announcer, LongSupplier clock) {
		QueueWork what = new QueueWork(Queue.OUTBOX, handler, RetryPolicies.same(RETRY), WorkListener.NONE);
		Membership membership = new Membership(database, RULES, new InstanceInfo("test", "localhost", 1, Map.of()),
				Queue.OUTBOX);
		return new WorkPump(what, membership, settings, executor, listening, announcer, clock);
	}

	/** One step of the loop, and all the work that it brought. */
	Duration stepAndWork() {
		Duration wait = this.pump.step();
		this.executor.run();
		return wait;
	}

	WorkReport lastReport() {
		return this.database.reports.get(this.database.reports.size() - 1);
	}

	int exchanges() {
		return this.database.reports.size();
	}

	void pass(Duration time) {
		this.clock.pass(time);
	}

}
