package io.whizbang.autoconfigure;

import java.util.concurrent.Executor;

import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.work.Queue;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerSettings;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Who delivers the messages of the outbox; without it, they are only enqueued here.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "whizbang.outbox.worker.enabled", matchIfMissing = true)
class OutboxWorkerConfiguration {

	static final String EXECUTOR = "whizbangOutboxExecutor";

	static final String PUMP = "whizbangOutboxPump";

	static final String WORKER = "whizbangOutboxWorker";

	@Bean
	@ConditionalOnMissingBean
	OutboxPublisher whizbangOutboxPublisher(Destinations destinations, MessageCodec codec, OutboxSettings settings,
			MessageObservations observations) {
		return new OutboxPublisher(destinations, codec, settings, observations);
	}

	@Bean
	@ConditionalOnMissingBean
	WorkerSettings whizbangOutboxWorkerSettings(OutboxProperties properties, Environment environment) {
		return WorkerFactory.settings(properties.worker(), environment);
	}

	@Bean(PUMP)
	@ConditionalOnMissingBean(name = PUMP)
	WorkPump whizbangOutboxPump(WorkerFactory workers, OutboxPublisher handler, WorkerSettings settings,
			@Qualifier(EXECUTOR) Executor executor) {
		return workers.pump(Queue.OUTBOX, handler, settings, executor);
	}

	@Bean(WORKER)
	@ConditionalOnMissingBean(name = WORKER)
	Worker whizbangOutboxWorker(@Qualifier(PUMP) WorkPump pump) {
		return new Worker(pump);
	}

	/**
	 * The threads on which handlers and transports run. They are no candidates for
	 * injection, so that the application keeps its own executor. The pump bounds how many
	 * are in use.
	 */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.VIRTUAL)
	@ConditionalOnMissingBean(name = EXECUTOR)
	SimpleAsyncTaskExecutor whizbangOutboxVirtualThreads() {
		return WorkerFactory.virtualThreads(Queue.OUTBOX);
	}

	/** The same for applications without virtual threads. */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.PLATFORM)
	@ConditionalOnMissingBean(name = EXECUTOR)
	ThreadPoolTaskExecutor whizbangOutboxThreads(WorkerSettings settings) {
		return WorkerFactory.threads(Queue.OUTBOX, settings.concurrency());
	}

}
