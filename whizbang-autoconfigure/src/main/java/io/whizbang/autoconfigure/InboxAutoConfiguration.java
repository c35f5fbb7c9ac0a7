package io.whizbang.autoconfigure;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcQueueStatistics;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.InboxGuard;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.inbox.JdbcDeduplicationPurge;
import io.whizbang.inbox.JdbcInbox;
import io.whizbang.inbox.JdbcInboxGuard;
import io.whizbang.inbox.ReceptorScanner;
import io.whizbang.inbox.Receptors;
import io.whizbang.observation.MessageObservations;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.Chore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the inbox.
 */
@AutoConfiguration(after = { WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.inbox.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(InboxProperties.class)
@Import({ WorkerConfiguration.class, InboxWorkerConfiguration.class })
public final class InboxAutoConfiguration {

	private static final String STATISTICS = "whizbangInboxStatistics";

	private static final String PURGE = "whizbangDeduplicationPurge";

	@Bean
	@ConditionalOnMissingBean
	InboxSettings whizbangInboxSettings(InboxProperties properties, MessageProperties messages) {
		return properties.toSettings(messages);
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(Inbox.class)
	JdbcInbox whizbangInbox(WhizbangDatabase database, WorkSignal signal, InboxSettings settings,
			ObjectProvider<WorkListener> listeners, MessageObservations observations) {
		TransactionalStore store = new TransactionalStore(database.dataSource(),
				new JdbcMessageStore(database.schema()), Queue.INBOX, true, signal);
		return new JdbcInbox(database.dataSource(), database.schema(), store, settings,
				WorkListeners.of(listeners.orderedStream().toList()), observations);
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(InboxGuard.class)
	JdbcInboxGuard whizbangInboxGuard(WhizbangDatabase database, InboxSettings settings,
			ObjectProvider<WorkListener> listeners) {
		return new JdbcInboxGuard(database.dataSource(), database.schema(), settings,
				WorkListeners.of(listeners.orderedStream().toList()));
	}

	@Bean(STATISTICS)
	@ConditionalOnMissingBean(name = STATISTICS)
	JdbcQueueStatistics whizbangInboxStatistics(WhizbangDatabase database) {
		return new JdbcQueueStatistics(database.dataSource(), database.schema(), Queue.INBOX);
	}

	@Bean(PURGE)
	@DependsOnDatabaseInitialization
	@ConditionalOnProperty("whizbang.inbox.deduplication.retention")
	@ConditionalOnMissingBean(name = PURGE)
	Chore whizbangDeduplicationPurge(WhizbangDatabase database) {
		JdbcDeduplicationPurge purge = new JdbcDeduplicationPurge(database.dataSource(), database.schema());
		return new Chore("Whizbang's purge of received messages", purge::run);
	}

	@Bean
	@ConditionalOnMissingBean
	Receptors whizbangReceptors() {
		return new Receptors();
	}

	@Bean
	@ConditionalOnMissingBean
	ReceptorScanner whizbangReceptorScanner(ConfigurableListableBeanFactory beanFactory, Receptors receptors) {
		return new ReceptorScanner(beanFactory, receptors);
	}

}
