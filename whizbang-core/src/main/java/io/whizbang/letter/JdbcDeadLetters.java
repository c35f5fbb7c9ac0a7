package io.whizbang.letter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.whizbang.letter.AuditEntry.Action;
import io.whizbang.message.Envelope;
import io.whizbang.message.LogText;
import io.whizbang.message.MessageId;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Dead letters in the application's own database.
 */
public final class JdbcDeadLetters implements DeadLetters {

	private static final Logger logger = LoggerFactory.getLogger(JdbcDeadLetters.class);

	private static final Operator RETENTION = Operator.named("whizbang").noting("retention");

	private static final int MAX_HISTORY = 100;

	private final JdbcLetters letters;

	private final WorkSignal signal;

	private final LetterListener listener;

	/**
	 * Creates access to the dead letters.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 * @param signal who wants to know of replayed messages
	 * @param listener who wants to know of decisions
	 */
	public JdbcDeadLetters(DataSource dataSource, String schema, WorkSignal signal, LetterListener listener) {
		this.letters = new JdbcLetters(dataSource, schema);
		this.signal = signal;
		this.listener = listener;
	}

	@Override
	public long record(RawLetter letter) {
		return this.letters.record(letter);
	}

	@Override
	public DeadLetterPage list(DeadLetterFilter filter, @Nullable Long before, int limit) {
		checkLimit(limit);
		// One more tells whether there is another page.
		List<DeadLetterSummary> found = this.letters.list(filter, before, limit + 1);
		if (found.size() <= limit) {
			return new DeadLetterPage(found, null);
		}
		List<DeadLetterSummary> page = found.subList(0, limit);
		return new DeadLetterPage(page, page.get(limit - 1).id());
	}

	@Override
	public @Nullable DeadLetter find(long id) {
		DeadLetter letter = this.letters.find(id);
		if (letter == null) {
			return null;
		}
		Envelope message = letter.message();
		return (message != null) ? letter.withHistory(history(letter.queue(), message.id())) : letter;
	}

	private List<AuditEntry> history(Queue queue, MessageId messageId) {
		List<AuditEntry> history = new ArrayList<>(this.letters.decisions(queue, messageId, null, MAX_HISTORY));
		Collections.reverse(history);
		return history;
	}

	@Override
	public Decision replay(Collection<Long> ids, Operator by) {
		Set<Long> raw = new HashSet<>();
		Set<Long> done = decide(ids, Action.REPLAYED, by, (batch) -> {
			batch.stream().filter((letter) -> !letter.isMessage()).map(PickedLetter::id).forEach(raw::add);
			return replay(batch, by);
		});
		return decision(ids, done, raw);
	}

	@Override
	public long replayAll(DeadLetterFilter filter, Operator by) {
		return decideAll(filter, Action.REPLAYED, by, (batch) -> replay(batch, by));
	}

	@Override
	public Decision discard(Collection<Long> ids, Operator by) {
		return decision(ids, decide(ids, Action.DISCARDED, by, (batch) -> discard(batch, by)), Set.of());
	}

	@Override
	public long discardAll(DeadLetterFilter filter, Operator by) {
		return decideAll(filter, Action.DISCARDED, by, (batch) -> discard(batch, by));
	}

	@Override
	public List<AuditEntry> audit(@Nullable MessageId messageId, @Nullable Long before, int limit) {
		checkLimit(limit);
		return this.letters.decisions(null, messageId, before, limit);
	}

	/**
	 * Discards letters that died longer ago than that.
	 * @param age how long letters are kept
	 * @return how many letters
	 */
	public long discardOlderThan(Duration age) {
		return forEachBatch(this.letters.choiceOfOlderThan(age), Action.DISCARDED, RETENTION,
				(batch) -> discard(batch, RETENTION));
	}

	/**
	 * Forgets decisions that were made longer ago than that.
	 * @param age how long the audit is kept
	 * @return how many entries
	 */
	public long forgetDecisionsOlderThan(Duration age) {
		long total = 0;
		int batch;
		do {
			batch = this.letters.purgeDecisions(age);
			total += batch;
		}
		while (batch > 0);
		return total;
	}

	private Set<Long> decide(Collection<Long> ids, Action action, Operator by, BatchStep step) {
		Assert.isTrue(ids.size() <= MAX_PAGE,
				() -> "%d letters are too many at once; name up to %d".formatted(ids.size(), MAX_PAGE));
		Set<Long> done = new HashSet<>();
		forEachBatch(this.letters.choice(ids), action, by, (batch) -> {
			Set<Long> doneNow = step.apply(batch);
			done.addAll(doneNow);
			return doneNow;
		});
		return done;
	}

	private static Decision decision(Collection<Long> ids, Set<Long> done, Set<Long> raw) {
		Set<Long> absent = new HashSet<>(ids);
		absent.removeAll(done);
		absent.removeAll(raw);
		return new Decision(done.size(), absent, raw);
	}

	private long decideAll(DeadLetterFilter filter, Action action, Operator by, BatchStep step) {
		// What is replayed now may die again at once, and must not be replayed for ever.
		List<DeadLetterSummary> newest = this.letters.list(filter, null, 1);
		return newest.isEmpty() ? 0 : forEachBatch(this.letters.choice(filter, newest.get(0).id()), action, by, step);
	}

	private long forEachBatch(JdbcLetters.Choice choice, Action action, Operator by, BatchStep step) {
		long count = 0;
		List<PickedLetter> batch = this.letters.pick(choice, 0);
		while (!batch.isEmpty()) {
			count += step.apply(batch).size();
			batch = this.letters.pick(choice, batch.get(batch.size() - 1).id());
		}
		if (count > 0) {
			logger.info("{} dead letter(s) {} by {}", count, action.name().toLowerCase(Locale.ROOT),
					LogText.of(by.name()));
		}
		return count;
	}

	private Set<Long> replay(List<PickedLetter> batch, Operator by) {
		List<PickedLetter> messages = batch.stream().filter(PickedLetter::isMessage).toList();
		if (messages.isEmpty()) {
			return Set.of();
		}
		Set<Long> done = this.letters.replay(messages, by);
		tell(Action.REPLAYED, messages, done);
		return done;
	}

	private Set<Long> discard(List<PickedLetter> batch, Operator by) {
		Set<Long> done = this.letters.discard(batch, by);
		tell(Action.DISCARDED, batch, done);
		return done;
	}

	private void tell(Action action, List<PickedLetter> batch, Set<Long> done) {
		Map<Queue, List<PickedLetter>> byQueue = batch.stream()
			.filter((letter) -> done.contains(letter.id()))
			.collect(Collectors.groupingBy(PickedLetter::queue, () -> new EnumMap<>(Queue.class), Collectors.toList()));
		byQueue.forEach((queue, letters) -> {
			try {
				if (action == Action.REPLAYED) {
					this.signal.raise(queue,
							letters.stream().map(PickedLetter::partitionHash).collect(Collectors.toSet()));
				}
				this.listener.decided(action, queue, letters.size());
			}
			catch (RuntimeException ex) {
				// The decision is committed: the caller must not believe otherwise.
				logger.warn("Could not tell of dead letters of {} that were decided about; workers find replayed "
						+ "messages with their next poll", queue.label(), ex);
			}
		});
	}

	private static void checkLimit(int limit) {
		Assert.isTrue(limit > 0 && limit <= MAX_PAGE,
				() -> "The limit must be between 1 and %d but is %d".formatted(MAX_PAGE, limit));
	}

	/** Decides about a batch of letters; returns the numbers of those that were there. */
	@FunctionalInterface
	private interface BatchStep {

		Set<Long> apply(List<PickedLetter> batch);

	}

}
