package io.whizbang.perspective;

import io.whizbang.coordinator.EntityManagers;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * The transactions that models are changed in.
 */
final class ModelTransactions {

	private static final TransactionDefinition NEW = definition();

	private final PlatformTransactionManager transactions;

	ModelTransactions(PlatformTransactionManager transactions) {
		this.transactions = transactions;
	}

	private static TransactionDefinition definition() {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition(
				TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		definition.setName("whizbang-perspective");
		return definition;
	}

	/**
	 * Changes a model and then notes it, in one transaction that is undone as a whole
	 * when either fails. What JPA has not written yet is written in between, so that its
	 * failures come before the note.
	 */
	<E extends Exception> void run(Step<E> model, Step<E> note) throws E {
		TransactionStatus status = this.transactions.getTransaction(NEW);
		try {
			model.run();
			EntityManagers.flush();
			note.run();
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

	/** Runs something in a transaction of its own. */
	<T extends @Nullable Object> T call(Work<T> work) {
		TransactionStatus status = this.transactions.getTransaction(NEW);
		T result;
		try {
			result = work.run();
			EntityManagers.flush();
		}
		catch (Throwable ex) {
			rollBack(status, ex);
			throw ex;
		}
		this.transactions.commit(status);
		return result;
	}

	/**
	 * A part of a transaction.
	 *
	 * @param <E> what it may throw
	 */
	@FunctionalInterface
	interface Step<E extends Exception> {

		void run() throws E;

	}

	/**
	 * What is done in a transaction.
	 *
	 * @param <T> what comes out of it
	 */
	@FunctionalInterface
	interface Work<T extends @Nullable Object> {

		T run();

	}

}
