package io.whizbang.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.LocalSignal;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerLifecycle;
import io.whizbang.worker.WorkerSettings;

/**
 * A running worker with its default settings, wired as the starter does it.
 */
final class WhizbangWorker implements AutoCloseable {

	private final ExecutorService executor;

	private final WorkerLifecycle lifecycle;

	private final LocalSignal signal;

	private WhizbangWorker(ExecutorService executor, WorkerLifecycle lifecycle, LocalSignal signal) {
		this.executor = executor;
		this.lifecycle = lifecycle;
		this.signal = signal;
	}

	static WhizbangWorker start(DataSource dataSource, String schema, QueueWork what) {
		CoordinatorSettings rules = CoordinatorSettings.defaults();
		WorkerSettings settings = WorkerSettings.defaults();
		ExecutorService executor = Executors.newFixedThreadPool(settings.concurrency() + 1);
		Membership membership = new Membership(new JdbcWorkCoordinator(dataSource, schema, rules), rules,
				new InstanceInfo("benchmark", "localhost", ProcessHandle.current().pid(), Map.of()), what.queue());
		WorkPump pump = new WorkPump(what, membership, settings, executor, () -> true);
		WorkerLifecycle lifecycle = new WorkerLifecycle(List.of(new Worker(pump)), null, null);
		lifecycle.start();
		return new WhizbangWorker(executor, lifecycle, new LocalSignal(List.of(pump), rules.partitions(), null));
	}

	/** Wakes the worker. */
	WorkSignal signal() {
		return this.signal;
	}

	@Override
	public void close() {
		this.lifecycle.stop();
		this.executor.shutdown();
	}

}
