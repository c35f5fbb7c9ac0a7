package io.whizbang.autoconfigure;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerLifecycle;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
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
			CoordinatorSettings settings) {
		return new DeferredWorkSignal(pumps, notifier, settings.partitions());
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
	WorkerLifecycle whizbangWorkerLifecycle(ObjectProvider<Worker> workers, ObjectProvider<PostgresListener> listener,
			ObjectProvider<WorkNotifier> notifier) {
		return new WorkerLifecycle(workers.orderedStream().toList(), listener.getIfAvailable(),
				notifier.getIfAvailable());
	}

}
