package io.whizbang.autoconfigure;

import java.util.concurrent.Executor;

import io.whizbang.fanout.FanoutLifecycle;
import io.whizbang.fanout.FanoutParts;
import io.whizbang.fanout.FanoutSettings;
import io.whizbang.fanout.FanoutWorker;
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
 * Who asks planners. Without its lifecycle, that is left to other instances.
 */
@Configuration(proxyBeanMethods = false)
class FanoutWorkerConfiguration {

	static final String EXECUTOR = "whizbangFanoutExecutor";

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean
	FanoutWorker whizbangFanoutWorker(FanoutParts parts, @Qualifier(EXECUTOR) Executor executor,
			ObjectProvider<PostgresListener> listener, ObjectProvider<WorkNotifier> notifier) {
		PostgresListener postgres = listener.getIfAvailable();
		return new FanoutWorker(parts, executor, (postgres != null) ? postgres::healthy : () -> false,
				notifier.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "whizbang.fanout.worker.enabled", matchIfMissing = true)
	FanoutLifecycle whizbangFanoutLifecycle(FanoutWorker worker, ObjectProvider<PostgresListener> listener) {
		return new FanoutLifecycle(worker, listener.getIfAvailable());
	}

	/**
	 * The threads on which planners are asked. They are no candidates for injection, so
	 * that the application keeps its own executor. The worker bounds how many are in use.
	 */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.VIRTUAL)
	@ConditionalOnMissingBean(name = EXECUTOR)
	SimpleAsyncTaskExecutor whizbangFanoutVirtualThreads() {
		return WorkerFactory.virtualThreads(FanoutWorker.LABEL);
	}

	/** The same for applications without virtual threads. */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.PLATFORM)
	@ConditionalOnMissingBean(name = EXECUTOR)
	ThreadPoolTaskExecutor whizbangFanoutThreads(FanoutSettings settings) {
		return WorkerFactory.threads(FanoutWorker.LABEL, settings.concurrency());
	}

}
