package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.concurrent.Executor;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.WorkHandler;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.Membership;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.WorkerLifecycle;
import io.whizbang.worker.WorkerSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Makes the parts of a queue's worker, for each queue in the same way.
 */
final class WorkerFactory {

	private final WorkCoordinator coordinator;

	private final CoordinatorSettings rules;

	private final InstanceInfo info;

	private final ObjectProvider<WorkListener> listeners;

	private final ObjectProvider<PostgresListener> listener;

	private final ObjectProvider<WorkNotifier> notifier;

	WorkerFactory(WorkCoordinator coordinator, CoordinatorSettings rules, InstanceInfo info,
			ObjectProvider<WorkListener> listeners, ObjectProvider<PostgresListener> listener,
			ObjectProvider<WorkNotifier> notifier) {
		this.coordinator = coordinator;
		this.rules = rules;
		this.info = info;
		this.listeners = listeners;
		this.listener = listener;
		this.notifier = notifier;
	}

	<H extends WorkHandler & RetryPolicies> WorkPump pump(Queue queue, H handler, WorkerSettings settings,
			Executor executor) {
		QueueWork work = new QueueWork(queue, handler, handler,
				WorkListeners.of(this.listeners.orderedStream().toList()));
		Membership membership = new Membership(this.coordinator, this.rules, this.info, queue);
		PostgresListener postgres = this.listener.getIfAvailable();
		WorkNotifier notifier = this.notifier.getIfAvailable();
		return new WorkPump(work, membership, settings, executor, (postgres != null) ? postgres::healthy : () -> false,
				(notifier != null) ? notifier::announce : (announcement) -> {
				});
	}

	static WorkerSettings settings(WorkerProperties properties, Environment environment) {
		return properties.toSettings(shutdownTimeout(environment));
	}

	static Duration shutdownTimeout(Environment environment) {
		return environment.getProperty("spring.lifecycle.timeout-per-shutdown-phase", Duration.class,
				Duration.ofSeconds(30));
	}

	static SimpleAsyncTaskExecutor virtualThreads(Queue queue) {
		return virtualThreads(queue.label());
	}

	static SimpleAsyncTaskExecutor virtualThreads(String label) {
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(prefix(label));
		executor.setVirtualThreads(true);
		return executor;
	}

	static ThreadPoolTaskExecutor threads(Queue queue, int concurrency) {
		return threads(queue.label(), concurrency);
	}

	static ThreadPoolTaskExecutor threads(String label, int concurrency) {
		ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
		executor.setThreadNamePrefix(prefix(label));
		// One more than handlers need: messages are read beside them.
		executor.setCorePoolSize(concurrency + 1);
		executor.setMaxPoolSize(concurrency + 1);
		executor.setAllowCoreThreadTimeOut(true);
		// The worker drains while the context closes, and needs its threads until then.
		executor.setAcceptTasksAfterContextClose(true);
		executor.setPhase(WorkerLifecycle.PHASE - 1);
		return executor;
	}

	private static String prefix(String label) {
		return "whizbang-" + label + "-";
	}

}
