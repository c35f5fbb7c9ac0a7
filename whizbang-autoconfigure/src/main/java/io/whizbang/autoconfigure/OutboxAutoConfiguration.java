package io.whizbang.autoconfigure;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcQueueStatistics;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.JdbcOutbox;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandlerScanner;
import io.whizbang.outbox.OutboxRouter;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.OutboxSettings.Ordering;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.Transport;
import io.whizbang.transport.local.SpringEventTransport;
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
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the outbox.
 */
@AutoConfiguration(after = WhizbangAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.outbox.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(OutboxProperties.class)
@Import({ WorkerConfiguration.class, OutboxWorkerConfiguration.class })
public final class OutboxAutoConfiguration {

	private static final String STATISTICS = "whizbangOutboxStatistics";

	@Bean
	@ConditionalOnMissingBean
	OutboxSettings whizbangOutboxSettings(OutboxProperties properties) {
		return properties.toSettings();
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(Outbox.class)
	JdbcOutbox whizbangOutbox(WhizbangDatabase database, WorkSignal signal, MessageCodec codec, OutboxSettings settings,
			ObjectProvider<Destinations> destinations, MessageObservations observations) {
		TransactionalStore store = new TransactionalStore(database.dataSource(),
				new JdbcMessageStore(database.schema()), Queue.OUTBOX, settings.ordering() == Ordering.STRICT, signal);
		// Asked for late: transports and handlers may use the outbox themselves.
		TopicCheck check = settings.strictTopics() ? (topic) -> destinations.getObject().check(topic) : TopicCheck.NONE;
		return new JdbcOutbox(store, codec, check, observations);
	}

	@Bean(STATISTICS)
	@ConditionalOnMissingBean(name = STATISTICS)
	JdbcQueueStatistics whizbangOutboxStatistics(WhizbangDatabase database) {
		return new JdbcQueueStatistics(database.dataSource(), database.schema(), Queue.OUTBOX);
	}

	@Bean
	@ConditionalOnMissingBean
	TopicHandlers whizbangTopicHandlers() {
		return new TopicHandlers();
	}

	@Bean
	@ConditionalOnMissingBean
	OutboxHandlerScanner whizbangOutboxHandlerScanner(ConfigurableListableBeanFactory beanFactory,
			TopicHandlers handlers) {
		return new OutboxHandlerScanner(beanFactory, handlers);
	}

	@Bean
	@ConditionalOnMissingBean
	Destinations whizbangDestinations(OutboxSettings settings, ObjectProvider<OutboxRouter> router,
			ObjectProvider<Transport> transports, TopicHandlers handlers) {
		return new Destinations(settings.routes(), router.getIfAvailable(), transports.orderedStream().toList(),
				handlers);
	}

	@Bean
	@ConditionalOnMissingBean
	CloudEvents whizbangCloudEvents(OutboxProperties properties, InstanceInfo instance) {
		String source = properties.eventSource();
		return new CloudEvents((source != null) ? source : "/" + instance.serviceName());
	}

	@Bean
	@ConditionalOnRoute(SpringEventTransport.NAME)
	@ConditionalOnMissingBean
	SpringEventTransport whizbangSpringEventTransport(ApplicationContext context, MessageCodec codec) {
		ClassLoader classLoader = context.getClassLoader();
		return new SpringEventTransport(context, codec,
				(classLoader != null) ? classLoader : SpringEventTransport.class.getClassLoader());
	}

}
