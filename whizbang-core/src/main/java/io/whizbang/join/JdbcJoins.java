package io.whizbang.join;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.whizbang.coordinator.TransactionalChanges;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.work.FailureText;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Joins in the application's own database. Everything is written at once, in the current
 * transaction; the counting is left to the worker.
 */
public final class JdbcJoins implements Joins {

	private final JdbcJoinStore store;

	private final Outbox outbox;

	private final TransactionalChanges changes;

	/**
	 * Creates access to the joins.
	 * @param parts what they are made of
	 * @param signal tells this instance's worker of changes
	 */
	public JdbcJoins(JoinParts parts, JoinSignal signal) {
		this.store = parts.store();
		this.outbox = parts.outbox();
		this.changes = new TransactionalChanges(this.store.dataSource(), "change a join", "change", signal::raise);
	}

	@Override
	public JoinId start(NewJoin join) {
		return this.changes.make(() -> this.store.start(JoinId.next(), join));
	}

	@Override
	public List<MessageId> enqueueAll(JoinId join, Collection<OutboxMessage> messages) {
		List<OutboxMessage> members = new ArrayList<>(messages.size());
		messages.forEach((message) -> members.add(member(join, message)));
		return this.changes.make(() -> {
			attach(join, members.stream().map((message) -> message.id().toString()).toList());
			// Members without their messages would have the join wait for ever.
			return this.changes.orRollBack(() -> this.outbox.enqueueAll(members));
		});
	}

	private static OutboxMessage member(JoinId join, OutboxMessage message) {
		Assert.isTrue(!message.headers().containsKey(HeaderNames.JOIN),
				() -> "The message %s to topic \"%s\" is a member of the join %s already; a message has one join"
					.formatted(message.id(), message.topic(), message.headers().get(HeaderNames.JOIN)));
		Map<String, String> headers = new HashMap<>(message.headers());
		headers.putAll(join.headers());
		return new OutboxMessage(message.id(), message.topic(), message.type(), message.payload(), message.stream(),
				headers, message.delay(), message.notBefore());
	}

	@Override
	public int attachAll(JoinId join, Collection<String> members) {
		List<String> all = List.copyOf(members);
		all.forEach(JoinLimits::checkMember);
		return this.changes.make(() -> attach(join, all));
	}

	private int attach(JoinId join, List<String> members) {
		if (members.isEmpty()) {
			return 0;
		}
		Attached answer = this.store.attach(join, members);
		if (answer.status() == null) {
			throw unknown(join);
		}
		if (answer.status() != JoinStatus.OPEN) {
			throw new JoinRefusedException(
					"The join %s is closed (%s), and takes no more members".formatted(join, answer.status()));
		}
		if (answer.isFull()) {
			throw new JoinRefusedException(
					"The join %s expects %s members and has %d, so %d more do not fit; start it with a larger number, or open-ended"
						.formatted(join, answer.expected(), answer.attached(), members.size()));
		}
		return answer.added();
	}

	@Override
	public int seal(JoinId join) {
		Integer expected = this.changes.make(() -> this.store.seal(join).orElseThrow(() -> unknown(join)));
		return expected;
	}

	@Override
	public void reportDone(JoinId join, String member) {
		report(join, member, false, null);
	}

	@Override
	public void reportFailed(JoinId join, String member, String reason) {
		report(join, member, true, FailureText.bounded(reason));
	}

	private void report(JoinId join, String member, boolean failed, @Nullable String reason) {
		JoinLimits.checkMember(member);
		boolean known = this.changes.make(() -> this.store.report(join, member, failed, reason));
		if (!known) {
			throw new JoinRefusedException("The join %s has no member \"%s\"; attach it first".formatted(join, member));
		}
	}

	@Override
	public boolean cancel(JoinId join) {
		return this.changes.make(() -> this.store.cancel(join));
	}

	@Override
	public Optional<Join> find(JoinId join) {
		return this.store.find(join, null);
	}

	@Override
	public Optional<Join> findByKey(String key) {
		return this.store.find(null, key);
	}

	@Override
	public List<Join> open(@Nullable JoinId after, int limit) {
		checkLimit(limit);
		return this.store.open(after, limit);
	}

	@Override
	public List<JoinMember> members(JoinId join, @Nullable String after, int limit) {
		checkLimit(limit);
		return this.store.members(join, after, limit);
	}

	private static void checkLimit(int limit) {
		Assert.isTrue(limit > 0 && limit <= MAX_PAGE,
				() -> "The limit must be between 1 and %d but is %d".formatted(MAX_PAGE, limit));
	}

	private static JoinRefusedException unknown(JoinId join) {
		return new JoinRefusedException("There is no join %s".formatted(join));
	}

}
