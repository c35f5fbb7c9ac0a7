package io.whizbang.autoconfigure;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.lease.JdbcLeaseTable;
import io.whizbang.lease.JdbcLeases;
import io.whizbang.lease.LeaseLifecycle;
import io.whizbang.lease.LeaseListener;
import io.whizbang.lease.LeaseListeners;
import io.whizbang.lease.LeaseSettings;
import io.whizbang.lease.LeasedPostProcessor;
import io.whizbang.lease.Leases;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;

import org.springframework.beans.factory.ObjectProvider;
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

/**
 * {@link EnableAutoConfiguration Auto-configuration} for leases.
 */
@AutoConfiguration(after = WhizbangAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.leases.enabled" }, matchIfMissing = true)
@ConditionalOnBean({ WhizbangDatabase.class, InstanceInfo.class })
@EnableConfigurationProperties(LeaseProperties.class)
@Import(WorkerConfiguration.class)
public final class LeaseAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeaseSettings whizbangLeaseSettings(LeaseProperties properties) {
		return properties.toSettings();
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcLeaseTable whizbangLeaseTable(WhizbangDatabase database) {
		return new JdbcLeaseTable(database.dataSource(), database.schema());
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(Leases.class)
	JdbcLeases whizbangLeases(JdbcLeaseTable table, InstanceInfo instance, LeaseSettings settings,
			ObjectProvider<LeaseListener> listeners, ObjectProvider<WorkNotifier> notifier) {
		return new JdbcLeases(table, instance, settings, new LeaseListeners(listeners.orderedStream().toList()),
				notifier.getIfAvailable());
	}

	@Bean
	@ConditionalOnBean(JdbcLeases.class)
	@ConditionalOnMissingBean
	LeaseLifecycle whizbangLeaseLifecycle(JdbcLeases leases, ObjectProvider<PostgresListener> listener) {
		return new LeaseLifecycle(leases, listener.getIfAvailable());
	}

	/** Static and lazy in what it needs: it is made before all other beans. */
	@Bean
	@ConditionalOnMissingBean
	static LeasedPostProcessor whizbangLeasedPostProcessor(ObjectProvider<Leases> leases,
			ObjectProvider<LeaseSettings> settings, Environment environment) {
		LeasedPostProcessor processor = new LeasedPostProcessor(leases::getObject, settings::getObject);
		processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
		return processor;
	}

}
