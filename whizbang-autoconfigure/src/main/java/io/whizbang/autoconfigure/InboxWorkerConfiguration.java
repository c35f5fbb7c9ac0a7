package io.whizbang.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.inbox.InboxProcessor;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.inbox.JdbcHandledMessages;
import io.whizbang.inbox.Receptors;
import io.whizbang.inbox.TransactionManagers;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
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
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Who handles the messages of the inbox; without it, they are only received here.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "whizbang.inbox.worker.enabled", matchIfMissing = true)
class InboxWorkerConfiguration {

	static final String EXECUTOR = "whizbangInboxExecutor";

	static final String PUMP = "whizbangInboxPump";

	static final String WORKER = "whizbangInboxWorker";

	static final String SETTINGS = "whizbangInboxWorkerSettings";

	@Bean
	@ConditionalOnMissingBean
	JdbcHandledMessages whizbangHandledMessages(WhizbangDatabase database, CoordinatorSettings rules) {
		return new JdbcHandledMessages(database.dataSource(), database.schema(), rules.debug());
	}

	@Bean
	@ConditionalOnMissingBean
	InboxProcessor whizbangInboxProcessor(Receptors receptors, MessageCodec codec, InboxSettings settings,
			ObjectProvider<PlatformTransactionManager> managers, WhizbangDatabase database,
			JdbcHandledMessages messages, MessageObservations observations, ObjectProvider<WorkListener> listeners) {
		List<PlatformTransactionManager> candidates = new ArrayList<>(managers.orderedStream().toList());
		managers.ifUnique((preferred) -> candidates.add(0, preferred));
		return new InboxProcessor(receptors, codec, settings,
				TransactionManagers.choose(database.dataSource(), candidates), messages, observations,
				WorkListeners.of(listeners.orderedStream().toList()));
	}

	@Bean(name = SETTINGS, defaultCandidate = false)
	@ConditionalOnMissingBean(name = SETTINGS)
	WorkerSettings whizbangInboxWorkerSettings(InboxProperties properties, Environment environment) {
		return WorkerFactory.settings(properties.worker(), environment);
	}

	@Bean(PUMP)
	@ConditionalOnMissingBean(name = PUMP)
	WorkPump whizbangInboxPump(WorkerFactory workers, InboxProcessor handler,
			@Qualifier(SETTINGS) WorkerSettings settings, @Qualifier(EXECUTOR) Executor executor) {
		return workers.pump(Queue.INBOX, handler, settings, executor);
	}

	@Bean(WORKER)
	@ConditionalOnMissingBean(name = WORKER)
	Worker whizbangInboxWorker(@Qualifier(PUMP) WorkPump pump) {
		return new Worker(pump);
	}

	/**
	 * The threads on which receptors run. They are no candidates for injection, so that
	 * the application keeps its own executor. The pump bounds how many are in use.
	 */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.VIRTUAL)
	@ConditionalOnMissingBean(name = EXECUTOR)
	SimpleAsyncTaskExecutor whizbangInboxVirtualThreads() {
		return WorkerFactory.virtualThreads(Queue.INBOX);
	}

	/** The same for applications without virtual threads. */
	@Bean(name = EXECUTOR, defaultCandidate = false)
	@ConditionalOnThreading(Threading.PLATFORM)
	@ConditionalOnMissingBean(name = EXECUTOR)
	ThreadPoolTaskExecutor whizbangInboxThreads(@Qualifier(SETTINGS) WorkerSettings settings) {
		return WorkerFactory.threads(Queue.INBOX, settings.concurrency());
	}

}
