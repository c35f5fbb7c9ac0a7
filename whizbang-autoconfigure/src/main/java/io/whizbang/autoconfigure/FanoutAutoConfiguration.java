package io.whizbang.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.fanout.FanoutHandlerFinder;
import io.whizbang.fanout.FanoutListener;
import io.whizbang.fanout.FanoutListeners;
import io.whizbang.fanout.FanoutParts;
import io.whizbang.fanout.FanoutPlanners;
import io.whizbang.fanout.FanoutScanner;
import io.whizbang.fanout.FanoutSettings;
import io.whizbang.fanout.FanoutWorker;
import io.whizbang.fanout.Fanouts;
import io.whizbang.fanout.JdbcFanoutStore;
import io.whizbang.fanout.JdbcFanouts;
import io.whizbang.inbox.TransactionManagers;
import io.whizbang.join.Joins;
import io.whizbang.lease.Leases;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxSettings;

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
import org.springframework.transaction.PlatformTransactionManager;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for fan-outs.
 */
@AutoConfiguration(
		after = { WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class, LeaseAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.fanout.enabled" }, matchIfMissing = true)
@ConditionalOnBean({ OutboxSettings.class, Leases.class })
@EnableConfigurationProperties(FanoutProperties.class)
@Import({ WorkerConfiguration.class, FanoutWorkerConfiguration.class })
public final class FanoutAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	FanoutSettings whizbangFanoutSettings(FanoutProperties properties) {
		return properties.toSettings();
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcFanoutStore whizbangFanoutStore(WhizbangDatabase database) {
		return new JdbcFanoutStore(database.dataSource(), database.schema());
	}

	@Bean
	@ConditionalOnMissingBean
	FanoutPlanners whizbangFanoutPlanners() {
		return new FanoutPlanners();
	}

	@Bean
	@ConditionalOnMissingBean
	FanoutScanner whizbangFanoutScanner(ConfigurableListableBeanFactory beanFactory, FanoutPlanners planners) {
		return new FanoutScanner(beanFactory, planners);
	}

	@Bean
	@ConditionalOnMissingBean
	FanoutParts whizbangFanoutParts(JdbcFanoutStore store, FanoutPlanners planners, Outbox outbox, Leases leases,
			WhizbangDatabase database, ObjectProvider<PlatformTransactionManager> managers, FanoutSettings settings,
			InstanceInfo info, ObjectProvider<FanoutListener> listeners, ObjectProvider<Joins> joins) {
		List<PlatformTransactionManager> candidates = new ArrayList<>(managers.orderedStream().toList());
		managers.ifUnique((preferred) -> candidates.add(0, preferred));
		return new FanoutParts(store, planners, outbox, leases,
				TransactionManagers.choose(database.dataSource(), candidates), settings, info,
				new FanoutListeners(listeners.orderedStream().toList()), joins.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	FanoutHandlerFinder whizbangFanoutHandlerFinder(ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<FanoutParts> parts) {
		return new FanoutHandlerFinder(beanFactory, parts::getObject);
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(Fanouts.class)
	JdbcFanouts whizbangFanouts(FanoutParts parts, FanoutWorker worker) {
		return new JdbcFanouts(parts, worker);
	}

}
