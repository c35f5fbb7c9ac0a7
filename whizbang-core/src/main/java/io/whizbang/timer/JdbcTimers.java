package io.whizbang.timer;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorConnections;
import io.whizbang.coordinator.TransactionCheck;
import io.whizbang.message.InheritedHeaders;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Timers in the application's own database. They are written at once: no lock of a stream
 * is needed before they fire, and a rollback, also one to a savepoint, takes them away.
 */
public final class JdbcTimers implements Timers {

	private final JdbcTemplate jdbc;

	private final CoordinatorConnections connections;

	private final TransactionCheck check;

	private final JdbcTimerStatements statements;

	private final MessageCodec codec;

	private final TopicCheck topics;

	private final MessageObservations observations;

	private final TimerSettings settings;

	private final WorkSignal signal;

	private final LongSupplier nanoTime;

	/**
	 * Creates timers that go by the database's clock.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 * @param codec how payloads are written
	 * @param topics which topics are accepted
	 * @param observations who observes
	 * @param settings how timers are scheduled
	 * @param signal who wants to know of timers that are due soon
	 */
	public JdbcTimers(DataSource dataSource, String schema, MessageCodec codec, TopicCheck topics,
			MessageObservations observations, TimerSettings settings, WorkSignal signal) {
		this(dataSource, schema, codec, topics, observations, settings, signal, () -> null);
	}

	/**
	 * Creates timers for tests.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 * @param codec how payloads are written
	 * @param topics which topics are accepted
	 * @param observations who observes
	 * @param settings how timers are scheduled
	 * @param signal who wants to know of timers that are due soon
	 * @param clock what time it is; {@code null} for the database's clock
	 */
	public JdbcTimers(DataSource dataSource, String schema, MessageCodec codec, TopicCheck topics,
			MessageObservations observations, TimerSettings settings, WorkSignal signal,
			Supplier<@Nullable Instant> clock) {
		this(dataSource, schema, codec, topics, observations, settings, signal, clock, System::nanoTime);
	}

	JdbcTimers(DataSource dataSource, String schema, MessageCodec codec, TopicCheck topics,
			MessageObservations observations, TimerSettings settings, WorkSignal signal,
			Supplier<@Nullable Instant> clock, LongSupplier nanoTime) {
		DataSource target = unwrap(dataSource);
		this.jdbc = new JdbcTemplate(target);
		this.connections = new CoordinatorConnections(target);
		this.check = new TransactionCheck(target, "schedule or cancel", "timer");
		this.statements = new JdbcTimerStatements(schema, clock);
		this.codec = codec;
		this.topics = topics;
		this.observations = observations;
		this.settings = settings;
		this.signal = signal;
		this.nanoTime = nanoTime;
	}

	@Override
	public List<TimerId> scheduleAll(Collection<NewTimer> timers) {
		List<NewTimer> all = List.copyOf(timers);
		if (all.isEmpty()) {
			return List.of();
		}
		all.stream().map(NewTimer::topic).distinct().forEach(this.topics::check);
		List<TimerId> ids = new ArrayList<>(all.size());
		this.observations.enqueue(Queue.OUTBOX, all.get(0).topic(), all.size(),
				(added) -> ids.addAll(schedule(all, InheritedHeaders.with(added))));
		return Collections.unmodifiableList(ids);
	}

	private List<TimerId> schedule(List<NewTimer> timers, InheritedHeaders inherited) {
		List<EncodedTimer> encoded = new ArrayList<>(timers.size());
		for (NewTimer timer : timers) {
			encoded.add(new EncodedTimer(TimerId.next(), timer, inherited.and(timer.headers()),
					this.codec.write(timer.payload())));
		}
		List<ChangedTimer> changed = write((connection) -> this.statements.schedule(connection, lastOfEachKey(encoded)),
				Change.SCHEDULE);
		Map<String, TimerId> kept = new HashMap<>();
		changed.forEach((timer) -> {
			if (timer.key() != null) {
				kept.put(timer.key(), timer.id());
			}
		});
		return encoded.stream().map((timer) -> idOf(timer, kept)).toList();
	}

	private static TimerId idOf(EncodedTimer encoded, Map<String, TimerId> kept) {
		TimerId existing = encoded.timer().keepExisting() ? kept.get(encoded.timer().key()) : null;
		return (existing != null) ? existing : encoded.id();
	}

	/** A statement cannot write a row twice. */
	private static List<EncodedTimer> lastOfEachKey(List<EncodedTimer> timers) {
		Map<String, EncodedTimer> byKey = new HashMap<>();
		for (EncodedTimer timer : timers) {
			String key = timer.timer().key();
			if (key != null) {
				EncodedTimer earlier = byKey.get(key);
				byKey.put(key, (earlier != null && timer.timer().keepExisting()) ? earlier : timer);
			}
		}
		Set<TimerId> chosen = byKey.values().stream().map(EncodedTimer::id).collect(Collectors.toSet());
		return timers.stream().filter((timer) -> timer.timer().key() == null || chosen.contains(timer.id())).toList();
	}

	@Override
	public boolean cancel(String key) {
		TimerLimits.checkKey(key);
		return !write((connection) -> this.statements.cancel(connection, Set.of(), Set.of(key)), Change.CANCEL)
			.isEmpty();
	}

	@Override
	public Set<TimerId> cancelAll(Collection<TimerId> ids) {
		Set<TimerId> distinct = new HashSet<>(ids);
		if (distinct.isEmpty()) {
			return Set.of();
		}
		Set<TimerId> cancelled = new LinkedHashSet<>();
		write((connection) -> this.statements.cancel(connection, distinct, Set.of()), Change.CANCEL)
			.forEach((timer) -> cancelled.add(timer.id()));
		return Collections.unmodifiableSet(cancelled);
	}

	@Override
	public boolean reschedule(TimerId id, Duration delay) {
		TimerLimits.checkDelay(delay);
		return reschedule(id.value(), null, delay, null);
	}

	@Override
	public boolean reschedule(TimerId id, Instant due) {
		TimerLimits.checkDue(due);
		return reschedule(id.value(), null, null, due);
	}

	@Override
	public boolean reschedule(String key, Duration delay) {
		TimerLimits.checkKey(key);
		TimerLimits.checkDelay(delay);
		return reschedule(null, key, delay, null);
	}

	@Override
	public boolean reschedule(String key, Instant due) {
		TimerLimits.checkKey(key);
		TimerLimits.checkDue(due);
		return reschedule(null, key, null, due);
	}

	private boolean reschedule(@Nullable UUID id, @Nullable String key, @Nullable Duration delay,
			@Nullable Instant due) {
		return !write((connection) -> this.statements.reschedule(connection, id, key, delay, due), Change.MOVE)
			.isEmpty();
	}

	@Override
	public Optional<PendingTimer> find(TimerId id) {
		return read((connection) -> this.statements.find(connection, id.value(), null));
	}

	@Override
	public Optional<PendingTimer> find(String key) {
		TimerLimits.checkKey(key);
		return read((connection) -> this.statements.find(connection, null, key));
	}

	@Override
	public TimerPage list(@Nullable String topic, @Nullable String after, int limit) {
		TimerLimits.checkLimit(limit, MAX_LIMIT);
		TimerPlace place = TimerPlace.parse(after);
		return read((connection) -> this.statements.list(connection, topic, place, limit));
	}

	@Override
	public int count(int limit) {
		TimerLimits.checkLimit(limit, MAX_LIMIT);
		return read((connection) -> this.statements.count(connection, limit));
	}

	private List<ChangedTimer> write(CoordinatorConnections.Step<Connection, List<ChangedTimer>> step, Change change) {
		if (isInTransaction()) {
			this.check.requireWritableTransaction();
			ChangedInTransaction changes = ChangedInTransaction.of(this);
			long start = this.nanoTime.getAsLong();
			List<ChangedTimer> changed = inTransaction(step);
			changes.add(change, changed, start);
			return changed;
		}
		this.check.requireNoHiddenTransaction();
		List<ChangedTimer> changed = this.connections.use(step);
		if (change != Change.CANCEL) {
			raise(ChangedTimer.near(changed, this.settings.near()));
		}
		return changed;
	}

	private <T> T read(CoordinatorConnections.Step<Connection, T> step) {
		return isInTransaction() ? inTransaction(step) : this.connections.use(step);
	}

	private <T> T inTransaction(CoordinatorConnections.Step<Connection, T> step) {
		ConnectionCallback<T> callback = step::apply;
		T result = this.jdbc.execute(callback);
		Assert.state(result != null, "A statement about timers has no result");
		return result;
	}

	private static boolean isInTransaction() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive();
	}

	/** Has timers of the current transaction whose time has passed be due now. */
	void renew(Collection<TimerId> ids) {
		this.inTransaction((connection) -> this.statements.renew(connection, ids));
	}

	void raise(Set<Integer> partitionHashes) {
		if (!partitionHashes.isEmpty()) {
			this.signal.raise(Queue.OUTBOX, partitionHashes);
		}
	}

	Duration near() {
		return this.settings.near();
	}

	long nanoTime() {
		return this.nanoTime.getAsLong();
	}

	private static DataSource unwrap(DataSource dataSource) {
		DataSource unwrapped = dataSource;
		while (unwrapped instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			unwrapped = proxy.getTargetDataSource();
		}
		return unwrapped;
	}

	/** What is done to timers. */
	enum Change {

		SCHEDULE, MOVE, CANCEL

	}

}
