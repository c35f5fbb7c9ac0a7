package io.whizbang.perspective;

import java.util.ArrayList;
import java.util.List;

import io.whizbang.coordinator.EntityManagers;
import io.whizbang.coordinator.Transactions;
import io.whizbang.coordinator.Transactions.Step;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * The transactions that models are changed in.
 */
final class ModelTransactions {

	private final Transactions transactions;

	ModelTransactions(PlatformTransactionManager transactions) {
		this.transactions = new Transactions(transactions, "whizbang-perspective");
	}

	/**
	 * Changes a model and then notes it, in one transaction that is undone as a whole
	 * when either fails. What JPA has not written yet is written in between, so that its
	 * failures come before the note.
	 */
	<E extends Exception> void run(Step<E> model, Step<E> note) throws E {
		this.transactions.run(this.transactions.begin(), () -> {
			model.run();
			EntityManagers.flush();
			note.run();
		});
	}

	/** Runs something in a transaction of its own. */
	<T extends @Nullable Object> T call(Work<T> work) {
		List<T> result = new ArrayList<>(1);
		run(() -> result.add(work.run()), () -> {
		});
		return result.get(0);
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
