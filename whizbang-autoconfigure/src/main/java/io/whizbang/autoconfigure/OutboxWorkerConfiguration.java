package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.concurrent.Executor;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.Membership;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerLifecycle;
import io.whizbang.worker.WorkerSettings;

import org.springframework.beans.factory.ObjectProvider;
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
 * Who delivers the messages of the outbox.
 */
@Configuration(proxyBeanMethods = false)
class OutboxWorkerConfiguration {

	static final String EXECUTOR = "whizbangOutboxExecutor";

	@Bean
	@ConditionalOnMissingBean
	WorkerLifecycle whizbangWorkerLifecycle(ObjectProvider<Worker> workers, ObjectProvider<PostgresListener> listener,
			ObjectProvider<WorkNotifier> notifier) {
		return new WorkerLifecycle(workers.orderedStream().toList(), listener.getIfAvailable(),
				notifier.getIfAvailable());
	}

	/**
	 * This instance's worker; without it, messages are only enqueued here.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "whizbang.outbox.worker.enabled", matchIfMissing = true)
	static class WorkerConfiguration {

		@Bean
		@ConditionalOnMissingBean
		OutboxPublisher whizbangOutboxPublisher(Destinations destinations, MessageCodec codec, OutboxSettings settings,
				MessageObservations observations) {
			return new OutboxPublisher(destinations, codec, settings, observations);
		}

		@Bean
		@ConditionalOnMissingBean
		WorkerSettings whizbangOutboxWorkerSettings(OutboxProperties properties, Environment environment) {
			return properties.worker().toSettings(ShutdownTimeout.of(environment));
		}

		@Bean
		@ConditionalOnMissingBean
		WorkPump whizbangOutboxPump(OutboxPublisher publisher, WorkCoordinator coordinator, CoordinatorSettings rules,
				InstanceInfo info, WorkerSettings settings, ObjectProvider<WorkListener> listeners,
				@Qualifier(EXECUTOR) Executor executor, ObjectProvider<PostgresListener> listener) {
			QueueWork work = new QueueWork(Queue.OUTBOX, publisher, publisher,
					WorkListeners.of(listeners.orderedStream().toList()));
			Membership membership = new Membership(coordinator, rules, info, Queue.OUTBOX);
			PostgresListener postgres = listener.getIfAvailable();
			return new WorkPump(work, membership, settings, executor,
					(postgres != null) ? postgres::healthy : () -> false);
		}

		@Bean
		@ConditionalOnMissingBean
		Worker whizbangOutboxWorker(WorkPump pump) {
			return new Worker(pump);
		}

	}

	/**
	 * The threads on which handlers and transports run. They are no candidates for
	 * injection, so that the application keeps its own executor. The pump bounds how many
	 * are in use.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "whizbang.outbox.worker.enabled", matchIfMissing = true)
	static class ExecutorConfiguration {

		private static final String PREFIX = "whizbang-outbox-";

		@Bean(name = EXECUTOR, defaultCandidate = false)
		@ConditionalOnThreading(Threading.VIRTUAL)
		@ConditionalOnMissingBean(name = EXECUTOR)
		SimpleAsyncTaskExecutor whizbangOutboxVirtualThreads() {
			SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(PREFIX);
			executor.setVirtualThreads(true);
			return executor;
		}

		@Bean(name = EXECUTOR, defaultCandidate = false)
		@ConditionalOnThreading(Threading.PLATFORM)
		@ConditionalOnMissingBean(name = EXECUTOR)
		ThreadPoolTaskExecutor whizbangOutboxThreads(WorkerSettings settings) {
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			executor.setThreadNamePrefix(PREFIX);
			// One more than handlers need: messages are read beside them.
			executor.setCorePoolSize(settings.concurrency() + 1);
			executor.setMaxPoolSize(settings.concurrency() + 1);
			executor.setAllowCoreThreadTimeOut(true);
			// The worker drains while the context closes, and needs its threads until
			// then.
			executor.setAcceptTasksAfterContextClose(true);
			executor.setPhase(WorkerLifecycle.PHASE - 1);
			return executor;
		}

	}

	/** How long Spring waits for beans that stop. */
	private static final class ShutdownTimeout {

		private static final Duration DEFAULT = Duration.ofSeconds(30);

		static Duration of(Environment environment) {
			return environment.getProperty("spring.lifecycle.timeout-per-shutdown-phase", Duration.class, DEFAULT);
		}

	}

}
