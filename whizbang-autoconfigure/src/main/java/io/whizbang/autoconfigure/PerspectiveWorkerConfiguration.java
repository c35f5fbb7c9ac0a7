package io.whizbang.autoconfigure;

import java.util.concurrent.Executor;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.perspective.PerspectiveLifecycle;
import io.whizbang.perspective.PerspectiveParts;
import io.whizbang.perspective.PerspectiveSettings;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.work.Queue;
import io.whizbang.worker.PostgresListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Who applies events to perspectives. Without its lifecycle, that is left to other
 * instances.
 */
@Configuration(proxyBeanMethods = false)
class PerspectiveWorkerConfiguration {

	static final String EXECUTOR = "whizbangPerspectivesExecutor";

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean
	PerspectiveWorker whizbangPerspectiveWorker(PerspectiveParts parts, WorkCoordinator coordinator,
			CoordinatorSettings rules, InstanceInfo info, @Qualifier(EXECUTOR) Executor executor,
			ObjectProvider<PostgresListener> listener) {
		PostgresListener postgres = listener.getIfAvailable();
		return new PerspectiveWorker(parts, coordinator, rules, info, executor,
				(postgres != null) ? postgres::healthy : () -> false);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "whizbang.perspectives.worker.enabled", matchIfMissing = true)
	PerspectiveLifecycle whizbangPerspectiveLifecycle(PerspectiveWorker worker,
			ObjectProvider<PostgresListener> listener) {
		return new PerspectiveLifecycle(worker, listener.getIfAvailable());
	}

	/**
	 * The threads on which events are applied. They are no candidates for injection, so
	 * that the application keeps its own executor. The worker bounds how many are in use.
	 */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.VIRTUAL)
	@ConditionalOnMissingBean(name = EXECUTOR)
	SimpleAsyncTaskExecutor whizbangPerspectivesVirtualThreads() {
		return WorkerFactory.virtualThreads(Queue.PERSPECTIVES);
	}

	/** The same for applications without virtual threads. */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.PLATFORM)
	@ConditionalOnMissingBean(name = EXECUTOR)
	ThreadPoolTaskExecutor whizbangPerspectivesThreads(PerspectiveSettings settings) {
		return WorkerFactory.threads(Queue.PERSPECTIVES, settings.concurrency());
	}

}
