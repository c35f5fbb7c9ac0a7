package io.whizbang.fanout;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.whizbang.coordinator.TransactionCheck;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.Assert;

/**
 * Fan-outs in the application's own database.
 */
public final class JdbcFanouts implements Fanouts {

	private final FanoutParts parts;

	private final JdbcFanoutStore store;

	private final FanoutWorker worker;

	private final TransactionCheck check;

	private final TransactionTemplate ownTransaction;

	/**
	 * Creates access to the fan-outs.
	 * @param parts what they are made of
	 * @param worker this instance's worker, to be told of changes
	 */
	public JdbcFanouts(FanoutParts parts, FanoutWorker worker) {
		this.parts = parts;
		this.store = parts.store();
		this.worker = worker;
		this.check = new TransactionCheck(this.store.dataSource(), "change a fan-out", "change");
		this.ownTransaction = new TransactionTemplate(new JdbcTransactionManager(this.store.dataSource()));
		this.ownTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	@Override
	public List<FanoutTopic> list() {
		return this.store.list(null, this.parts.planners()::has);
	}

	@Override
	public Optional<FanoutTopic> find(String topic) {
		return this.store.list(topic, this.parts.planners()::has).stream().findFirst();
	}

	@Override
	public List<FanoutCursor> cursors(String topic, @Nullable String afterWorkKey, @Nullable String afterShardKey,
			int limit) {
		Assert.isTrue(limit > 0 && limit <= MAX_PAGE,
				() -> "The limit must be between 1 and %d but is %d".formatted(MAX_PAGE, limit));
		return this.store.cursors(topic, afterWorkKey, afterShardKey, limit);
	}

	@Override
	public List<TopicPolicy> policies(String topic) {
		return this.store.policies(topic);
	}

	@Override
	public void setPolicy(String topic, String workKey, FanoutPolicy policy) {
		checkWorkKey(workKey);
		write(() -> {
			requireKnown(topic);
			return this.store.setPolicy(topic, workKey, policy, true);
		});
	}

	@Override
	public boolean resetPolicy(String topic, String workKey) {
		checkWorkKey(workKey);
		return write(() -> {
			requireKnown(topic);
			boolean reset = this.store.resetPolicy(topic, workKey);
			FanoutPolicy written = this.parts.planners().has(topic)
					? FanoutDefinitions.schedule(this.parts, topic).policy(workKey) : null;
			if (reset && written != null) {
				this.store.setPolicy(topic, workKey, written, false);
			}
			return reset;
		});
	}

	@Override
	public void runNow(String topic) {
		boolean known = write(() -> this.store.request(topic));
		Assert.isTrue(known, () -> unknown(topic));
	}

	@Override
	public boolean complete(FanoutSlice slice) {
		return write(() -> this.store.completeSlice(slice));
	}

	@Override
	public boolean delete(String topic) {
		return write(() -> this.store.delete(topic));
	}

	private void requireKnown(String topic) {
		Assert.isTrue(find(topic).isPresent(), () -> unknown(topic));
	}

	private static void checkWorkKey(String workKey) {
		if (!workKey.equals(ALL_WORK_KEYS)) {
			FanoutLimits.checkWorkKey(workKey);
		}
	}

	private <T> T write(Supplier<T> work) {
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			this.check.requireWritableTransaction();
			return told(work);
		}
		this.check.requireNoHiddenTransaction();
		return this.ownTransaction.<T>execute((status) -> told(work));
	}

	private <T> T told(Supplier<T> work) {
		T result = work.get();
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				JdbcFanouts.this.worker.changed();
			}

		});
		return result;
	}

	private static String unknown(String topic) {
		return "There is no fan-out \"%s\"; it needs a FanoutPlanner first".formatted(topic);
	}

}
