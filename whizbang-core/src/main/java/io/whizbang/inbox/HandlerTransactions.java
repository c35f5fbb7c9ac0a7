package io.whizbang.inbox;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that receptors run in.
 */
final class HandlerTransactions {

	private static final TransactionDefinition NEW = definition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

	private static final TransactionDefinition NESTED = definition(TransactionDefinition.PROPAGATION_NESTED);

	private final PlatformTransactionManager transactions;

	HandlerTransactions(PlatformTransactionManager transactions) {
		this.transactions = transactions;
	}

	private static TransactionDefinition definition(int propagation) {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition(propagation);
		definition.setName("whizbang-inbox");
		return definition;
	}

	/**
	 * Says whether one receptor can be undone without the others. JPA cannot: what it
	 * holds in memory does not go back with the database.
	 */
	boolean hasSavepoints() {
		return this.transactions instanceof DataSourceTransactionManager jdbc && jdbc.isNestedTransactionAllowed();
	}

	/** Runs something in a transaction of its own, undone as a whole when it throws. */
	<E extends Exception> void run(Step<E> step) throws E {
		TransactionStatus status;
		try {
			status = this.transactions.getTransaction(NEW);
		}
		catch (RuntimeException ex) {
			throw new NoTransactionException(ex);
		}
		run(status, step);
	}

	/**
	 * Runs a part of the current transaction, undone without the rest when it throws.
	 * @throws InseparableException when it throws and cannot be undone without the rest
	 */
	<E extends Exception> void runPart(Step<E> step) throws E {
		int before = synchronizations();
		try {
			run(this.transactions.getTransaction(NESTED), step);
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

	private <E extends Exception> void run(TransactionStatus status, Step<E> step) throws E {
		try {
			step.run();
		}
		catch (Throwable ex) {
			rollBack(status, ex);
			throw ex;
		}
		this.transactions.commit(status);
	}

	private void rollBack(TransactionStatus status, Throwable reason) {
		try {
			this.transactions.rollback(status);
		}
		catch (RuntimeException ex) {
			// The reason is what people must know.
			reason.addSuppressed(ex);
		}
	}

	/**
	 * Something that runs in a transaction.
	 *
	 * @param <E> what it may throw
	 */
	@FunctionalInterface
	interface Step<E extends Exception> {

		void run() throws E;

	}

}
