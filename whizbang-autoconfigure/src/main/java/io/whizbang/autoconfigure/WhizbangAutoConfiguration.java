package io.whizbang.autoconfigure;

import javax.sql.DataSource;

import io.micrometer.observation.ObservationRegistry;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.fanout.FanoutScanner;
import io.whizbang.inbox.ReceptorScanner;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.DeliverConvention;
import io.whizbang.observation.EnqueueConvention;
import io.whizbang.observation.HandleConvention;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.OutboxHandlerScanner;
import io.whizbang.perspective.PerspectiveScanner;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.worker.Chore;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for what all features of Whizbang
 * share: the database, its schema, the coordinator.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class,
		afterName = { "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "whizbang.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ SchemaProperties.class, CoordinatorProperties.class, InstanceProperties.class,
		MessageProperties.class })
@Import({ DatabaseInitializationDependencyConfigurer.class, ListenConfiguration.class })
@ImportRuntimeHints(WhizbangRuntimeHints.class)
public final class WhizbangAutoConfiguration {

	/** These are never asked for, and would not exist where beans are made on demand. */
	@Bean
	static LazyInitializationExcludeFilter whizbangEagerBeans() {
		return LazyInitializationExcludeFilter.forBeanTypes(SchemaInstaller.class, StartupReport.class,
				DeferredWorkSignal.class, DeferredEventSignal.class, PerspectiveMeters.class,
				OutboxHandlerScanner.class, ReceptorScanner.class, PerspectiveScanner.class, FanoutScanner.class,
				Chore.class);
	}

	@Bean
	@ConditionalOnMissingBean
	WhizbangDatabase whizbangDatabase(@WhizbangDataSource ObjectProvider<DataSource> marked,
			ObjectProvider<DataSource> dataSources, ListableBeanFactory beanFactory, SchemaProperties properties) {
		return new WhizbangDatabase(DataSourceChoice.choose(marked, dataSources, beanFactory), properties.name());
	}

	@Bean(initMethod = "install")
	@ConditionalOnMissingBean
	SchemaInstaller whizbangSchemaInstaller(WhizbangDatabase database, SchemaProperties properties) {
		return new SchemaInstaller(database.dataSource(),
				new SchemaSettings(database.schema(), properties.mode(), properties.lockTimeout()));
	}

	@Bean
	@ConditionalOnMissingBean
	CoordinatorSettings whizbangCoordinatorSettings(CoordinatorProperties properties) {
		return properties.toSettings();
	}

	@Bean
	@ConditionalOnMissingBean
	InstanceInfo whizbangInstanceInfo(InstanceProperties properties, Environment environment) {
		return InstanceDescription.of(properties, environment);
	}

	@Bean
	StartupReport whizbangStartupReport(ApplicationContext context, WhizbangDatabase database, InstanceInfo instance) {
		return new StartupReport(context, database, instance);
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(WorkCoordinator.class)
	JdbcWorkCoordinator whizbangWorkCoordinator(WhizbangDatabase database, CoordinatorSettings settings) {
		return new JdbcWorkCoordinator(database.dataSource(), database.schema(), settings);
	}

	@Bean
	@ConditionalOnMissingBean(MessageCodec.class)
	JsonMessageCodec whizbangMessageCodec(ObjectProvider<JsonMapper> mapper, MessageProperties properties) {
		return new JsonMessageCodec(mapper.getIfAvailable(JsonMapper::shared), properties.maxPayloadSize().toBytes());
	}

	@Bean
	@ConditionalOnMissingBean
	MessageObservations whizbangMessageObservations(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<EnqueueConvention> enqueueConvention, ObjectProvider<DeliverConvention> deliverConvention,
			ObjectProvider<HandleConvention> handleConvention) {
		return new MessageObservations(registry.getIfUnique(() -> ObservationRegistry.NOOP),
				enqueueConvention.getIfAvailable(), deliverConvention.getIfAvailable(),
				handleConvention.getIfAvailable());
	}

}
