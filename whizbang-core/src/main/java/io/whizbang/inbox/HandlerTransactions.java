package io.whizbang.inbox;

import io.whizbang.coordinator.Transactions;
import io.whizbang.coordinator.Transactions.Step;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that receptors run in.
 */
final class HandlerTransactions {

	private final PlatformTransactionManager manager;

	private final Transactions transactions;

	HandlerTransactions(PlatformTransactionManager manager) {
		this.manager = manager;
		this.transactions = new Transactions(manager, "whizbang-inbox");
	}

	/**
	 * Says whether one receptor can be undone without the others. JPA cannot: what it
	 * holds in memory does not go back with the database.
	 */
	boolean hasSavepoints() {
		return this.manager instanceof DataSourceTransactionManager jdbc && jdbc.isNestedTransactionAllowed();
	}

	/** Runs something in a transaction of its own, undone as a whole when it throws. */
	<E extends Exception> void run(Step<E> step) throws E {
		TransactionStatus status;
		try {
			status = this.transactions.begin();
		}
		catch (RuntimeException ex) {
			throw new NoTransactionException(ex);
		}
		this.transactions.run(status, step);
	}

	/**
	 * Runs a part of the current transaction, undone without the rest when it throws.
	 * @throws InseparableException when it throws and cannot be undone without the rest
	 */
	<E extends Exception> void runPart(Step<E> step) throws E {
		int before = synchronizations();
		try {
			this.transactions.run(this.transactions.beginPart(), step);
		}
		catch (Throwable ex) {
			if (synchronizations() > before) {
				throw new InseparableException(ex);
			}
			throw ex;
		}
	}

	private static int synchronizations() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				? TransactionSynchronizationManager.getSynchronizations().size() : 0;
	}

}
