package io.whizbang.coordinator;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * Transactions that are undone as a whole when what runs in them throws, and pass on what
 * it threw, checked or not, even when the rollback fails as well. For Whizbang's own
 * features; applications have Spring's template.
 */
public final class Transactions {

	private final PlatformTransactionManager manager;

	private final TransactionDefinition own;

	private final TransactionDefinition part;

	/**
	 * Creates transactions.
	 * @param manager who manages them
	 * @param name what they are called
	 */
	public Transactions(PlatformTransactionManager manager, String name) {
		this.manager = manager;
		this.own = definition(name, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.part = definition(name, TransactionDefinition.PROPAGATION_NESTED);
	}

	private static TransactionDefinition definition(String name, int propagation) {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition(propagation);
		definition.setName(name);
		return definition;
	}

	/**
	 * Begins a transaction apart from the current one.
	 * @return the transaction, to be given to {@link #run}
	 */
	public TransactionStatus begin() {
		return this.manager.getTransaction(this.own);
	}

	/**
	 * Begins a part of the current transaction.
	 * @return the part, to be given to {@link #run}
	 */
	public TransactionStatus beginPart() {
		return this.manager.getTransaction(this.part);
	}

	/**
	 * Runs something in a transaction and ends it.
	 * @param status the transaction
	 * @param step what runs in it
	 * @param <E> what it may throw
	 * @throws E when it was undone
	 */
	public <E extends Exception> void run(TransactionStatus status, Step<E> step) throws E {
		try {
			step.run();
		}
		catch (Throwable ex) {
			rollBack(status, ex);
			throw ex;
		}
		this.manager.commit(status);
	}

	private void rollBack(TransactionStatus status, Throwable reason) {
		try {
			this.manager.rollback(status);
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
	public interface Step<E extends Exception> {

		void run() throws E;

	}

}
