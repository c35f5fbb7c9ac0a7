package io.whizbang.coordinator;

import java.util.function.Supplier;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Changes that are part of the current transaction, or each of one of its own, and that
 * somebody is told of once they are committed. For Whizbang's own features.
 */
public final class TransactionalChanges {

	private final DataSource dataSource;

	private final TransactionCheck check;

	private final TransactionTemplate ownTransaction;

	private final Runnable committed;

	/**
	 * Creates a way to make changes.
	 * @param dataSource the database, not wrapped in a proxy
	 * @param action what is done, as a verb
	 * @param what what would be stored, as a noun
	 * @param committed told after the commit
	 */
	public TransactionalChanges(DataSource dataSource, String action, String what, Runnable committed) {
		this.dataSource = dataSource;
		this.check = new TransactionCheck(dataSource, action, what);
		this.ownTransaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.ownTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.committed = committed;
	}

	/**
	 * Makes a change.
	 * @param change the change
	 * @param <T> what it answers
	 * @return its answer
	 * @throws IllegalStateException when the current transaction cannot take it
	 */
	public <T> T make(Supplier<T> change) {
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			this.check.requireWritableTransaction();
			return told(change);
		}
		this.check.requireNoHiddenTransaction();
		return this.ownTransaction.<T>execute((status) -> told(change));
	}

	/**
	 * Makes the last part of a change, without which the others must not be kept: when it
	 * fails, the current transaction can only be rolled back, also by who catches the
	 * failure.
	 * @param part the last part
	 * @param <T> what it answers
	 * @return its answer
	 */
	public <T> T orRollBack(Supplier<T> part) {
		try {
			return part.get();
		}
		catch (RuntimeException ex) {
			EntityManagers.setRollbackOnly();
			if (TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder) {
				holder.setRollbackOnly();
			}
			throw ex;
		}
	}

	private <T> T told(Supplier<T> change) {
		T result = change.get();
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				TransactionalChanges.this.committed.run();
			}

		});
		return result;
	}

}
