package io.whizbang.fanout;

import java.util.List;
import java.util.Optional;

import io.whizbang.coordinator.TransactionalChanges;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Fan-outs in the application's own database.
 */
public final class JdbcFanouts implements Fanouts {

	private final FanoutParts parts;

	private final JdbcFanoutStore store;

	private final TransactionalChanges changes;

	/**
	 * Creates access to the fan-outs.
	 * @param parts what they are made of
	 * @param worker this instance's worker, to be told of changes
	 */
	public JdbcFanouts(FanoutParts parts, FanoutWorker worker) {
		this.parts = parts;
		this.store = parts.store();
		this.changes = new TransactionalChanges(this.store.dataSource(), "change a fan-out", "change", worker::changed);
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
		this.changes.make(() -> {
			requireKnown(topic);
			return this.store.setPolicy(topic, workKey, policy, true);
		});
	}

	@Override
	public boolean resetPolicy(String topic, String workKey) {
		checkWorkKey(workKey);
		return this.changes.make(() -> {
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
		boolean known = this.changes.make(() -> this.store.request(topic));
		Assert.isTrue(known, () -> unknown(topic));
	}

	@Override
	public boolean complete(FanoutSlice slice) {
		return this.changes.make(() -> this.store.completeSlice(slice));
	}

	@Override
	public boolean delete(String topic) {
		return this.changes.make(() -> this.store.delete(topic));
	}

	private void requireKnown(String topic) {
		Assert.isTrue(find(topic).isPresent(), () -> unknown(topic));
	}

	private static void checkWorkKey(String workKey) {
		if (!workKey.equals(ALL_WORK_KEYS)) {
			FanoutLimits.checkWorkKey(workKey);
		}
	}

	private static String unknown(String topic) {
		return "There is no fan-out \"%s\"; it needs a FanoutPlanner first".formatted(topic);
	}

}
