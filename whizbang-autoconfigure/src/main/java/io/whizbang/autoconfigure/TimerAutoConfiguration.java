package io.whizbang.autoconfigure;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.join.JoinSignal;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.timer.JdbcTimerStore;
import io.whizbang.timer.JdbcTimers;
import io.whizbang.timer.OnTimerFinder;
import io.whizbang.timer.TimerSettings;
import io.whizbang.timer.Timers;
import io.whizbang.work.WorkSignal;

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

/**
 * {@link EnableAutoConfiguration Auto-configuration} for timers.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.timers.enabled" }, matchIfMissing = true)
@ConditionalOnBean(OutboxSettings.class)
@EnableConfigurationProperties(TimerProperties.class)
public final class TimerAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	TimerSettings whizbangTimerSettings(TimerProperties properties, CoordinatorSettings coordinator) {
		return properties.toSettings(coordinator.heartbeat());
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcTimerStore whizbangTimerStore(WhizbangDatabase database) {
		return new JdbcTimerStore(database.dataSource(), database.schema());
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(Timers.class)
	JdbcTimers whizbangTimers(JdbcTimerStore store, MessageCodec codec, OutboxSettings outbox,
			ObjectProvider<Destinations> destinations, MessageObservations observations, TimerSettings settings,
			WorkSignal signal, ObjectProvider<JoinSignal> joins) {
		// Asked for late: transports and handlers may use timers themselves.
		TopicCheck check = outbox.strictTopics() ? (topic) -> destinations.getObject().check(topic) : TopicCheck.NONE;
		return new JdbcTimers(store, codec, check, observations, settings, signal,
				joins.getIfAvailable(JoinSignal::new));
	}

	@Bean
	@ConditionalOnMissingBean
	OnTimerFinder whizbangOnTimerFinder(ConfigurableListableBeanFactory beanFactory) {
		return new OnTimerFinder(beanFactory);
	}

}
