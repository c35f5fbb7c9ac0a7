package io.whizbang.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.micrometer.observation.ObservationRegistry;
import io.whizbang.event.EventCodec;
import io.whizbang.event.EventSignal;
import io.whizbang.event.EventTypes;
import io.whizbang.inbox.TransactionManagers;
import io.whizbang.observation.ApplyConvention;
import io.whizbang.observation.PerspectiveObservations;
import io.whizbang.perspective.CompletionStrategy;
import io.whizbang.perspective.DatabaseReadiness;
import io.whizbang.perspective.JdbcPerspectives;
import io.whizbang.perspective.PerspectiveHandlers;
import io.whizbang.perspective.PerspectiveListener;
import io.whizbang.perspective.PerspectiveParts;
import io.whizbang.perspective.PerspectiveScanner;
import io.whizbang.perspective.PerspectiveSettings;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.perspective.Perspectives;
import io.whizbang.worker.WorkNotifier;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for perspectives.
 */
@AutoConfiguration(after = EventStoreAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.perspectives.enabled" }, matchIfMissing = true)
@ConditionalOnBean({ EventTypes.class, EventCodec.class })
@EnableConfigurationProperties(PerspectiveProperties.class)
@Import({ WorkerConfiguration.class, PerspectiveWorkerConfiguration.class })
public final class PerspectiveAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	PerspectiveSettings whizbangPerspectiveSettings(PerspectiveProperties properties, Environment environment) {
		return properties.toSettings(WorkerFactory.shutdownTimeout(environment));
	}

	@Bean
	@ConditionalOnMissingBean
	CompletionStrategy whizbangCompletionStrategy(PerspectiveProperties properties) {
		return properties.completion().strategy();
	}

	@Bean
	@ConditionalOnMissingBean
	DatabaseReadiness whizbangDatabaseReadiness(WhizbangDatabase database) {
		return DatabaseReadiness.ofConnection(database.dataSource());
	}

	@Bean
	@ConditionalOnMissingBean
	PerspectiveHandlers whizbangPerspectiveHandlers() {
		return new PerspectiveHandlers();
	}

	@Bean
	@ConditionalOnMissingBean
	PerspectiveScanner whizbangPerspectiveScanner(ConfigurableListableBeanFactory beanFactory, EventTypes types,
			PerspectiveHandlers handlers) {
		return new PerspectiveScanner(beanFactory, types, handlers);
	}

	@Bean
	@ConditionalOnMissingBean
	PerspectiveObservations whizbangPerspectiveObservations(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<ApplyConvention> applyConvention) {
		return new PerspectiveObservations(registry.getIfUnique(() -> ObservationRegistry.NOOP),
				applyConvention.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	PerspectiveParts whizbangPerspectiveParts(WhizbangDatabase database,
			ObjectProvider<PlatformTransactionManager> managers, EventCodec codec, EventTypes types,
			PerspectiveHandlers handlers, PerspectiveSettings settings, CompletionStrategy completion,
			DatabaseReadiness readiness, ObjectProvider<PerspectiveListener> listeners,
			PerspectiveObservations observations) {
		List<PlatformTransactionManager> candidates = new ArrayList<>(managers.orderedStream().toList());
		managers.ifUnique((preferred) -> candidates.add(0, preferred));
		return new PerspectiveParts(database.dataSource(), database.schema(),
				TransactionManagers.choose(database.dataSource(), candidates), codec, types, handlers, settings,
				completion, readiness, PerspectiveListeners.of(listeners.orderedStream().toList()), observations);
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(Perspectives.class)
	JdbcPerspectives whizbangPerspectives(PerspectiveParts parts, PerspectiveWorker worker) {
		return new JdbcPerspectives(parts, worker);
	}

	@Bean
	@ConditionalOnMissingBean(EventSignal.class)
	DeferredEventSignal whizbangEventSignal(ObjectProvider<PerspectiveWorker> worker,
			ObjectProvider<WorkNotifier> notifier) {
		return new DeferredEventSignal(worker, notifier);
	}

}
