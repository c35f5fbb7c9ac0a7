package io.whizbang.autoconfigure;

import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.InboxIntake;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.letter.DeadLetters;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.Intake;
import io.whizbang.transport.local.InboxTransport;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the ways into the inbox, from
 * brokers and from the application's own outbox.
 */
@AutoConfiguration(after = { WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
		InboxAutoConfiguration.class, DeadLettersAutoConfiguration.class })
@ConditionalOnBean({ WhizbangDatabase.class, Inbox.class, DeadLetters.class })
public final class IntakeAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(Intake.class)
	InboxIntake whizbangIntake(WhizbangDatabase database, Inbox inbox, DeadLetters letters, InboxSettings settings) {
		// Of its own and no bean: the application's may be for another database.
		JdbcTransactionManager transactions = new JdbcTransactionManager(database.dataSource());
		return new InboxIntake(inbox, letters, new TransactionTemplate(transactions), settings);
	}

	@Bean
	@ConditionalOnRoute(InboxTransport.NAME)
	@ConditionalOnBean(CloudEvents.class)
	@ConditionalOnMissingBean
	InboxTransport whizbangInboxTransport(Intake intake, CloudEvents events) {
		return new InboxTransport(intake, events);
	}

}
