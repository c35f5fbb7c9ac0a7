package io.whizbang.autoconfigure;

import java.util.List;

import io.whizbang.control.JdbcControl;
import io.whizbang.control.PauseKeeper;
import io.whizbang.control.Workers;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.fanout.FanoutWorker;
import io.whizbang.job.JobWorker;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.queue.QueueWorker;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.Pausable;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerLifecycle;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What the workers of all queues share.
 */
@Configuration(proxyBeanMethods = false)
class WorkerConfiguration {

	@Bean
	@ConditionalOnMissingBean
	WorkSignal whizbangWorkSignal(ObjectProvider<WorkPump> pumps, ObjectProvider<WorkNotifier> notifier,
			ObjectProvider<QueueWorker> queues, ObjectProvider<PerspectiveWorker> perspectives,
			CoordinatorSettings settings) {
		return new DeferredWorkSignal(pumps, notifier, queues, perspectives, settings.partitions());
	}

	@Bean
	@ConditionalOnMissingBean
	WorkerFactory whizbangWorkerFactory(WorkCoordinator coordinator, CoordinatorSettings rules, InstanceInfo info,
			ObjectProvider<WorkListener> listeners, ObjectProvider<PostgresListener> listener,
			ObjectProvider<WorkNotifier> notifier) {
		return new WorkerFactory(coordinator, rules, info, listeners, listener, notifier);
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcControl whizbangControl(WhizbangDatabase database) {
		return new JdbcControl(database.dataSource(), database.schema());
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean
	PauseKeeper whizbangPauseKeeper(JdbcControl control, ObjectProvider<Pausable> workers,
			ObjectProvider<PostgresListener> listener) {
		return new PauseKeeper(control, workers.orderedStream().toList(), listener.getIfAvailable());
	}

	/** Also workers that are switched off here can be paused where they are not. */
	@Bean
	@ConditionalOnMissingBean
	Workers whizbangWorkers(JdbcControl control, ObjectProvider<Pausable> workers, PauseKeeper keeper,
			ObjectProvider<WorkNotifier> notifier) {
		return new Workers(
				control, workers.orderedStream().toList(), List.of(Queue.OUTBOX.label(), Queue.INBOX.label(),
						Queue.PERSPECTIVES.label(), JobWorker.LABEL, FanoutWorker.LABEL),
				keeper, notifier.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	WorkerLifecycle whizbangWorkerLifecycle(ObjectProvider<Worker> workers, ObjectProvider<PostgresListener> listener,
			ObjectProvider<WorkNotifier> notifier) {
		return new WorkerLifecycle(workers.orderedStream().toList(), listener.getIfAvailable(),
				notifier.getIfAvailable());
	}

}
