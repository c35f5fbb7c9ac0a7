package io.whizbang.autoconfigure;

import java.util.List;

import io.whizbang.letter.DeadLetters;
import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.letter.LetterListener;
import io.whizbang.work.WorkSignal;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the dead letters of all
 * features.
 */
@AutoConfiguration(after = WhizbangAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "whizbang.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DeadLetterProperties.class)
public final class DeadLettersAutoConfiguration {

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(DeadLetters.class)
	JdbcDeadLetters whizbangDeadLetters(WhizbangDatabase database, ObjectProvider<WorkSignal> signal,
			ObjectProvider<LetterListener> listeners) {
		List<LetterListener> all = listeners.orderedStream().toList();
		return new JdbcDeadLetters(database.dataSource(), database.schema(),
				signal.getIfAvailable(() -> WorkSignal.NONE),
				(action, queue, count) -> all.forEach((listener) -> listener.decided(action, queue, count)));
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(JdbcDeadLetters.class)
	DeadLetterRetention whizbangDeadLetterRetention(JdbcDeadLetters letters, DeadLetterProperties properties) {
		return new DeadLetterRetention(letters, properties.retention(), properties.auditRetention());
	}

}
