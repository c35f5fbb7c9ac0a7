package io.whizbang.coordinator;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Refuses transactions that messages or events cannot be part of.
 */
public final class TransactionCheck {

	private static final TransactionDefinition MANDATORY = new DefaultTransactionDefinition(
			TransactionDefinition.PROPAGATION_MANDATORY);

	private final DataSource dataSource;

	private final String action;

	private final String what;

	private final JdbcTransactionManager transactions;

	/**
	 * Creates a check.
	 * @param dataSource the database, not wrapped in a proxy
	 * @param action what is tried, as a verb
	 * @param what what would be stored, as a noun
	 */
	public TransactionCheck(DataSource dataSource, String action, String what) {
		this.dataSource = dataSource;
		this.action = action;
		this.what = what;
		this.transactions = new JdbcTransactionManager(dataSource);
		// Only asked whether there is a transaction; must not leave traces on the thread.
		this.transactions.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
	}

	/**
	 * Refuses a current transaction that is read-only, or not one of the database.
	 * @throws IllegalStateException when it is
	 */
	public void requireWritableTransaction() {
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw new IllegalStateException(
					"Cannot %s in the read-only transaction%s: the %s could not be stored with it. "
						.formatted(this.action, name(), this.what)
							+ "Remove readOnly = true, or %s from a method with its own transaction (REQUIRES_NEW)"
								.formatted(this.action));
		}
		if (!isTransactionOfDataSource()) {
			throw new IllegalStateException(
					"Cannot %s in the transaction%s: it is not one of Whizbang's DataSource (%s), so the %s could "
						.formatted(this.action, name(), this.dataSource, this.what)
							+ "outlive its rollback. Use the transaction manager of that DataSource, as in "
							+ "@Transactional(\"transactionManager\"); a JpaTransactionManager must know the DataSource, "
							+ "and JTA is not supported");
		}
	}

	/**
	 * Refuses a transaction that its manager tells nobody about, because what is stored
	 * beside it would outlive its rollback.
	 * @throws IllegalStateException when there is one
	 */
	public void requireNoHiddenTransaction() {
		if (!TransactionSynchronizationManager.isActualTransactionActive() && isTransactionOfDataSource()) {
			throw new IllegalStateException("Cannot %s in a transaction whose manager has synchronization switched off "
				.formatted(this.action)
					+ "(SYNCHRONIZATION_NEVER): the %s could outlive its rollback. Switch it on".formatted(this.what));
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
