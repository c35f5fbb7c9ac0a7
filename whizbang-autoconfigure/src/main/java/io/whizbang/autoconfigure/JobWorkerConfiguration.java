package io.whizbang.autoconfigure;

import java.util.concurrent.Executor;

import io.whizbang.job.JobLifecycle;
import io.whizbang.job.JobParts;
import io.whizbang.job.JobSettings;
import io.whizbang.job.JobWorker;
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
 * Who fires and runs jobs. Without its lifecycle, that is left to other instances.
 */
@Configuration(proxyBeanMethods = false)
class JobWorkerConfiguration {

	static final String EXECUTOR = "whizbangJobsExecutor";

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean
	JobWorker whizbangJobWorker(JobParts parts, @Qualifier(EXECUTOR) Executor executor,
			ObjectProvider<PostgresListener> listener, ObjectProvider<WorkNotifier> notifier) {
		PostgresListener postgres = listener.getIfAvailable();
		return new JobWorker(parts, executor, (postgres != null) ? postgres::healthy : () -> false,
				notifier.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "whizbang.jobs.worker.enabled", matchIfMissing = true)
	JobLifecycle whizbangJobLifecycle(JobWorker worker, ObjectProvider<PostgresListener> listener) {
		return new JobLifecycle(worker, listener.getIfAvailable());
	}

	/**
	 * The threads on which handlers run. They are no candidates for injection, so that
	 * the application keeps its own executor. The worker bounds how many are in use.
	 */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.VIRTUAL)
	@ConditionalOnMissingBean(name = EXECUTOR)
	SimpleAsyncTaskExecutor whizbangJobsVirtualThreads() {
		return WorkerFactory.virtualThreads(JobWorker.LABEL);
	}

	/** The same for applications without virtual threads. */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.PLATFORM)
	@ConditionalOnMissingBean(name = EXECUTOR)
	ThreadPoolTaskExecutor whizbangJobsThreads(JobSettings settings) {
		return WorkerFactory.threads(JobWorker.LABEL, settings.concurrency());
	}

}
