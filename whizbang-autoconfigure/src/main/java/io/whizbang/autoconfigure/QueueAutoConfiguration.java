package io.whizbang.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.inbox.TransactionManagers;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.queue.JdbcQueueStore;
import io.whizbang.queue.JdbcQueues;
import io.whizbang.queue.JdbcWorkQueue;
import io.whizbang.queue.QueueConsumerScanner;
import io.whizbang.queue.QueueConsumers;
import io.whizbang.queue.QueueListener;
import io.whizbang.queue.QueueListeners;
import io.whizbang.queue.QueueParts;
import io.whizbang.queue.QueueSettings;
import io.whizbang.queue.QueueWorker;
import io.whizbang.queue.Queues;
import io.whizbang.queue.WorkQueue;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for work queues.
 */
@AutoConfiguration(after = WhizbangAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.queues.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(QueueProperties.class)
@Import({ WorkerConfiguration.class, QueueWorkerConfiguration.class })
public final class QueueAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	QueueSettings whizbangQueueSettings(QueueProperties properties, Environment environment) {
		return properties.toSettings(WorkerFactory.shutdownTimeout(environment));
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcQueueStore whizbangQueueStore(WhizbangDatabase database) {
		return new JdbcQueueStore(database.dataSource(), database.schema());
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(WorkQueue.class)
	JdbcWorkQueue whizbangWorkQueue(WhizbangDatabase database, JdbcQueueStore store, MessageCodec codec,
			MessageObservations observations, QueueSettings settings, InstanceInfo info, WorkSignal signal) {
		TransactionalStore messages = new TransactionalStore(database.dataSource(),
				new JdbcMessageStore(database.schema()), Queue.QUEUES, true, signal);
		return new JdbcWorkQueue(messages, store, codec, observations, settings, info, signal);
	}

	@Bean
	@ConditionalOnMissingBean
	QueueConsumers whizbangQueueConsumers() {
		return new QueueConsumers();
	}

	@Bean
	@ConditionalOnMissingBean
	QueueConsumerScanner whizbangQueueConsumerScanner(ConfigurableListableBeanFactory beanFactory,
			QueueConsumers consumers, QueueSettings settings) {
		return new QueueConsumerScanner(beanFactory, consumers, settings);
	}

	@Bean
	@ConditionalOnMissingBean
	QueueParts whizbangQueueParts(JdbcQueueStore store, QueueConsumers consumers, MessageCodec codec,
			WhizbangDatabase database, ObjectProvider<PlatformTransactionManager> managers, QueueSettings settings,
			InstanceInfo info, MessageObservations observations, ObjectProvider<QueueListener> listeners) {
		List<PlatformTransactionManager> candidates = new ArrayList<>(managers.orderedStream().toList());
		managers.ifUnique((preferred) -> candidates.add(0, preferred));
		return new QueueParts(store, consumers, codec, TransactionManagers.choose(database.dataSource(), candidates),
				settings, info, observations, new QueueListeners(listeners.orderedStream().toList()));
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(Queues.class)
	JdbcQueues whizbangQueues(QueueParts parts, QueueWorker worker) {
		return new JdbcQueues(parts, worker);
	}

}
