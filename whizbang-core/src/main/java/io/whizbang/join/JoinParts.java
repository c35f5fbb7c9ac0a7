package io.whizbang.join;

import java.util.List;

import io.whizbang.outbox.Outbox;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * What joins are made of.
 *
 * @param store where they are kept
 * @param outbox where the messages go that follow
 * @param transactions transactions of the same database
 * @param settings how to go about it
 * @param listener hears what becomes of them
 */
public record JoinParts(JdbcJoinStore store, Outbox outbox, PlatformTransactionManager transactions,
		JoinSettings settings, JoinListener listener) {

	public JoinParts {
		listener = (listener instanceof JoinListeners) ? listener : new JoinListeners(List.of(listener));
	}

}
