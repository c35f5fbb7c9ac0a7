package io.whizbang.coordinator;

import javax.sql.DataSource;

import io.whizbang.work.Queue;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Refuses transactions that messages cannot be part of.
 */
final class TransactionCheck {

	private static final TransactionDefinition MANDATORY = new DefaultTransactionDefinition(
			TransactionDefinition.PROPAGATION_MANDATORY);

	private final DataSource dataSource;

	private final String action;

	private final JdbcTransactionManager transactions;

	TransactionCheck(DataSource dataSource, Queue queue) {
		this.dataSource = dataSource;
		this.action = (queue == Queue.INBOX) ? "receive" : "enqueue";
		this.transactions = new JdbcTransactionManager(dataSource);
		// Only asked whether there is a transaction; must not leave traces on the thread.
		this.transactions.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
	}

	void requireWritableTransaction() {
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw new IllegalStateException(
					"Cannot %s in the read-only transaction%s: the message could not be stored with it. "
						.formatted(this.action, name())
							+ "Remove readOnly = true, or %s from a method with its own transaction (REQUIRES_NEW)"
								.formatted(this.action));
		}
		if (!isTransactionOfDataSource()) {
			throw new IllegalStateException(
					"Cannot %s in the transaction%s: it is not one of Whizbang's DataSource (%s), so the message could "
						.formatted(this.action, name(), this.dataSource)
							+ "outlive its rollback. Use the transaction manager of that DataSource, as in "
							+ "@Transactional(\"transactionManager\"); a JpaTransactionManager must know the DataSource, "
							+ "and JTA is not supported");
		}
	}

	/**
	 * Refuses a transaction that its manager tells nobody about, because what is stored
	 * beside it would outlive its rollback.
	 */
	void requireNoHiddenTransaction() {
		if (!TransactionSynchronizationManager.isActualTransactionActive() && isTransactionOfDataSource()) {
			throw new IllegalStateException(
					"Cannot %s in a transaction whose manager has synchronization switched off ".formatted(this.action)
							+ "(SYNCHRONIZATION_NEVER): the message could outlive its rollback. Switch it on");
		}
	}

	private boolean isTransactionOfDataSource() {
		if (!(TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder)) {
			return false;
		}
		// JPA exposes its connection in a plain holder. Holders marked as synchronized
		// are
		// either those of a JDBC transaction, or of a connection that somebody uses
		// beside a
		// foreign transaction: only the manager can tell.
		return !holder.isSynchronizedWithTransaction() || isManagedTransaction();
	}

	private boolean isManagedTransaction() {
		try {
			this.transactions.getTransaction(MANDATORY);
			return true;
		}
		catch (IllegalTransactionStateException ex) {
			return false;
		}
	}

	private static String name() {
		String name = TransactionSynchronizationManager.getCurrentTransactionName();
		return (name != null) ? " of " + name : "";
	}

}
