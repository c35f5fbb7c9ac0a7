package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.whizbang.coordinator.TransactionCheck;
import io.whizbang.message.InheritedHeaders;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Timers in the application's own database. They are written at once: no lock of a stream
 * is needed before they fire, and a rollback, also one to a savepoint, takes them away.
 */
public final class JdbcTimers implements Timers {

	private final JdbcTimerStore store;

	private final TransactionCheck check;

	private final MessageCodec codec;

	private final TopicCheck topics;

	private final MessageObservations observations;

	private final TimerSettings settings;

	private final WorkSignal signal;

	private final WorkListener listener;

	private final LongSupplier nanoTime;

	/**
	 * Creates timers.
	 * @param store where they are kept
	 * @param codec how payloads are written
	 * @param topics which topics are accepted
	 * @param observations who observes
	 * @param settings how timers are scheduled
	 * @param signal who wants to know of timers that are due soon
	 */
	public JdbcTimers(JdbcTimerStore store, MessageCodec codec, TopicCheck topics, MessageObservations observations,
			TimerSettings settings, WorkSignal signal) {
		this(store, codec, topics, observations, settings, signal, WorkListener.NONE);
	}

	/**
	 * Creates timers that tell of members of joins.
	 * @param store where they are kept
	 * @param codec how payloads are written
	 * @param topics which topics are accepted
	 * @param observations who observes
	 * @param settings how timers are scheduled
	 * @param signal who wants to know of timers that are due soon
	 * @param listener who wants to know of cancelled ones that were members of joins
	 */
	public JdbcTimers(JdbcTimerStore store, MessageCodec codec, TopicCheck topics, MessageObservations observations,
			TimerSettings settings, WorkSignal signal, WorkListener listener) {
		this(store, codec, topics, observations, settings, signal, listener, System::nanoTime);
	}

	JdbcTimers(JdbcTimerStore store, MessageCodec codec, TopicCheck topics, MessageObservations observations,
			TimerSettings settings, WorkSignal signal, WorkListener listener, LongSupplier nanoTime) {
		this.store = store;
		this.check = new TransactionCheck(store.dataSource(), "schedule or cancel", "timer");
		this.codec = codec;
		this.topics = topics;
		this.observations = observations;
		this.settings = settings;
		this.signal = signal;
		this.listener = listener;
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
		this.observations.enqueue(Queue.OUTBOX, all.get(0).topic(), all.size(), (added) -> {
			EncodedTimers encoded = new EncodedTimers(all, InheritedHeaders.with(added), this.codec);
			ids.addAll(encoded.ids(write(() -> this.store.schedule(encoded.lastOfEachKey()), Change.SCHEDULE)));
		});
		return Collections.unmodifiableList(ids);
	}

	@Override
	public boolean cancel(String key) {
		TimerLimits.checkKey(key);
		return !write(() -> this.store.cancel(Set.of(), Set.of(key)), Change.CANCEL).isEmpty();
	}

	@Override
	public Set<TimerId> cancelAll(Collection<TimerId> ids) {
		Set<TimerId> distinct = new HashSet<>(ids);
		if (distinct.isEmpty()) {
			return Set.of();
		}
		Set<TimerId> cancelled = new LinkedHashSet<>();
		write(() -> this.store.cancel(distinct, Set.of()), Change.CANCEL).forEach((timer) -> cancelled.add(timer.id()));
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
		return !write(() -> this.store.reschedule(id, key, delay, due), Change.MOVE).isEmpty();
	}

	@Override
	public Optional<PendingTimer> find(TimerId id) {
		return this.store.find(id.value(), null);
	}

	@Override
	public Optional<PendingTimer> find(String key) {
		TimerLimits.checkKey(key);
		return this.store.find(null, key);
	}

	@Override
	public TimerPage list(@Nullable String topic, @Nullable String after, int limit) {
		TimerLimits.checkLimit(limit, MAX_LIMIT);
		return this.store.list(topic, TimerPlace.parse(after), limit);
	}

	@Override
	public int count(int limit) {
		TimerLimits.checkLimit(limit, MAX_LIMIT);
		return this.store.count(limit);
	}

	private List<ChangedTimer> write(Supplier<List<ChangedTimer>> statement, Change change) {
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			this.check.requireWritableTransaction();
			ChangedInTransaction changes = ChangedInTransaction.of(this);
			long start = this.nanoTime.getAsLong();
			List<ChangedTimer> changed = statement.get();
			changes.add(change, changed, start);
			return changed;
		}
		this.check.requireNoHiddenTransaction();
		List<ChangedTimer> changed = statement.get();
		if (change != Change.CANCEL) {
			raise(ChangedTimer.near(changed, this.settings.near()));
		}
		else if (changed.stream().anyMatch(ChangedTimer::endedMember)) {
			tellOfMembers();
		}
		return changed;
	}

	/** Has timers of the current transaction whose time has passed be due now. */
	void renew(Collection<TimerId> ids) {
		this.store.renew(ids);
	}

	void raise(Set<Integer> partitionHashes) {
		if (!partitionHashes.isEmpty()) {
			this.signal.raise(Queue.OUTBOX, partitionHashes);
		}
	}

	/** Members of joins have ended, and that is committed. */
	void tellOfMembers() {
		this.listener.membersEnded(Queue.OUTBOX);
	}

	Duration near() {
		return this.settings.near();
	}

	long nanoTime() {
		return this.nanoTime.getAsLong();
	}

	/** What is done to timers. */
	enum Change {

		SCHEDULE, MOVE, CANCEL

	}

}
