package io.whizbang.autoconfigure;

import java.util.concurrent.Executor;

import io.whizbang.queue.QueueLifecycle;
import io.whizbang.queue.QueueParts;
import io.whizbang.queue.QueueWorker;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;

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
 * Who runs the consumers of work queues. Without its lifecycle, that is left to other
 * instances.
 */
@Configuration(proxyBeanMethods = false)
class QueueWorkerConfiguration {

	static final String EXECUTOR = "whizbangQueuesExecutor";

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean
	QueueWorker whizbangQueueWorker(QueueParts parts, @Qualifier(EXECUTOR) Executor executor,
			ObjectProvider<PostgresListener> listener, ObjectProvider<WorkNotifier> notifier) {
		PostgresListener postgres = listener.getIfAvailable();
		return new QueueWorker(parts, executor, (postgres != null) ? postgres::healthy : () -> false,
				notifier.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "whizbang.queues.worker.enabled", matchIfMissing = true)
	QueueLifecycle whizbangQueueLifecycle(QueueWorker worker, ObjectProvider<PostgresListener> listener) {
		return new QueueLifecycle(worker, listener.getIfAvailable());
	}

	/**
	 * The threads on which consumers run. They are no candidates for injection, so that
	 * the application keeps its own executor. The worker bounds how many are in use.
	 */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.VIRTUAL)
	@ConditionalOnMissingBean(name = EXECUTOR)
	SimpleAsyncTaskExecutor whizbangQueuesVirtualThreads() {
		return WorkerFactory.virtualThreads(QueueWorker.LABEL);
	}

	/** The same for applications without virtual threads. */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.PLATFORM)
	@ConditionalOnMissingBean(name = EXECUTOR)
	ThreadPoolTaskExecutor whizbangQueuesThreads() {
		// How many that is, nobody knows before all consumers are found.
		ThreadPoolTaskExecutor executor = WorkerFactory.threads(QueueWorker.LABEL, 1);
		executor.setMaxPoolSize(Integer.MAX_VALUE);
		executor.setQueueCapacity(0);
		return executor;
	}

}
