package io.whizbang.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.whizbang.inbox.TransactionManagers;
import io.whizbang.join.JdbcJoinStore;
import io.whizbang.join.JdbcJoins;
import io.whizbang.join.JoinLifecycle;
import io.whizbang.join.JoinListener;
import io.whizbang.join.JoinListeners;
import io.whizbang.join.JoinParts;
import io.whizbang.join.JoinResult;
import io.whizbang.join.JoinSettings;
import io.whizbang.join.JoinSignal;
import io.whizbang.join.JoinWorker;
import io.whizbang.join.Joins;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxSettings;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for joins.
 */
@AutoConfiguration(after = { WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class },
		before = FanoutAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.joins.enabled" }, matchIfMissing = true)
@ConditionalOnBean(OutboxSettings.class)
@EnableConfigurationProperties(JoinProperties.class)
@RegisterReflectionForBinding(JoinResult.class)
public final class JoinAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	JoinSettings whizbangJoinSettings(JoinProperties properties) {
		return properties.toSettings();
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcJoinStore whizbangJoinStore(WhizbangDatabase database) {
		return new JdbcJoinStore(database.dataSource(), database.schema());
	}

	/** Knows nobody, so that the workers of the queues may have it. */
	@Bean
	@ConditionalOnMissingBean
	JoinSignal whizbangJoinSignal() {
		return new JoinSignal();
	}

	@Bean
	@ConditionalOnMissingBean
	JoinParts whizbangJoinParts(JdbcJoinStore store, Outbox outbox, WhizbangDatabase database,
			ObjectProvider<PlatformTransactionManager> managers, JoinSettings settings,
			ObjectProvider<JoinListener> listeners) {
		List<PlatformTransactionManager> candidates = new ArrayList<>(managers.orderedStream().toList());
		managers.ifUnique((preferred) -> candidates.add(0, preferred));
		return new JoinParts(store, outbox, TransactionManagers.choose(database.dataSource(), candidates), settings,
				new JoinListeners(listeners.orderedStream().toList()));
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(Joins.class)
	JdbcJoins whizbangJoins(JoinParts parts, JoinSignal signal) {
		return new JdbcJoins(parts, signal);
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean
	JoinWorker whizbangJoinWorker(JoinParts parts, JoinSignal signal) {
		return new JoinWorker(parts, signal);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "whizbang.joins.worker.enabled", matchIfMissing = true)
	JoinLifecycle whizbangJoinLifecycle(JoinWorker worker) {
		return new JoinLifecycle(worker);
	}

}
