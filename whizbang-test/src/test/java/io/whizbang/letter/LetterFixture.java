package io.whizbang.letter;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.letter.AuditEntry.Action;
import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Outcome;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.QueueWork;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Empty dead letters in the test class's database, and a worker that makes some. A
 * message is known by its payload: "A2" is the second one of stream "A".
 */
final class LetterFixture implements WorkSignal, LetterListener, WorkHandler {

	static final Operator ADA = Operator.named("ada");

	private static final String SCHEMA = "whizbang";

	private final PostgresDatabase database;

	private final ManualWorker worker;

	private final Set<String> doomed = new HashSet<>();

	final JdbcDeadLetters letters;

	final List<Collection<Integer>> signals = new CopyOnWriteArrayList<>();

	final List<String> news = new CopyOnWriteArrayList<>();

	LetterFixture(PostgresDatabase database) {
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.database = database;
		jdbc().execute("""
				truncate whizbang.wh_messages, whizbang.wh_scheduled, whizbang.wh_claims, whizbang.wh_dead_letters,
				    whizbang.wh_dead_letter_audit""");
		this.letters = new JdbcDeadLetters(database.dataSource(), SCHEMA, this, this);
		CoordinatorSettings rules = CoordinatorSettings.defaults();
		this.worker = new ManualWorker(
				new QueueWork(Queue.OUTBOX, this, (work) -> RetryPolicy.defaults(), WorkListener.NONE),
				new JdbcWorkCoordinator(database.dataSource(), SCHEMA, rules), rules);
	}

	JdbcTemplate jdbc() {
		return this.database.jdbc();
	}

	void close() {
		this.worker.close();
	}

	/** Stores messages and has them die, in this order. */
	void die(String... names) {
		enqueue(names);
		dieAgain(names);
	}

	/** Has messages die that wait already. */
	void dieAgain(String... names) {
		this.doomed.addAll(List.of(names));
		this.worker.runUntilIdle();
		this.doomed.clear();
	}

	/** Delivers what waits, and returns it in the order in which it came. */
	List<Work> deliver() {
		return this.worker.runUntilIdle().stream().map(ManualWorker.Ended::work).toList();
	}

	List<String> deliverNames() {
		return deliver().stream().map((work) -> work.envelope().payload()).toList();
	}

	void enqueue(String... names) {
		enqueue(Stream.of(names).map((name) -> message(name, "things")).toArray(NewMessage[]::new));
	}

	void enqueue(NewMessage... messages) {
		jdbc().execute((Connection connection) -> {
			new JdbcMessageStore(SCHEMA).store(connection, Queue.OUTBOX, List.of(messages), true);
			return null;
		});
	}

	static NewMessage message(String name, String topic) {
		return new NewMessage(MessageId.next(), topic, "Thing", StreamId.of(name.replaceAll("[0-9]+$", "")),
				Map.of("traceparent", "00-" + name), name, null, null);
	}

	/** Writes letters of streams "S0" to "S99" without having anybody try them. */
	void bury(int count, String reason) {
		StringBuilder streams = new StringBuilder();
		for (int i = 0; i < 100; i++) {
			streams.append((i > 0) ? "," : "").append(StreamId.of("S" + i).value());
		}
		jdbc().update(
				"""
						insert into whizbang.wh_dead_letters
						    (queue, reason, attempts, died_at, created_at, seq, message_id, stream_id, stream_key, topic, message_type,
						     headers, payload, error)
						select 1, ?, 10, now(), now(), g.i, gen_random_uuid(), (?::uuid[])[g.i % 100 + 1], 'S' || g.i % 100, 'things', 'Thing',
						    '{}', g.i::text, 'boom'
						from generate_series(1, ?) g(i) order by g.i""",
				reason, "{" + streams + "}", count);
	}

	RawLetter raw(String source, String raw) {
		return RawLetter.of(Queue.OUTBOX, source, RawLetter.MALFORMED, new IllegalArgumentException("not JSON"),
				raw.getBytes(StandardCharsets.UTF_8), Map.of("offset", "17"));
	}

	/** Payloads of the letters, oldest first. */
	List<String> names() {
		return jdbc().queryForList("select payload from whizbang.wh_dead_letters order by dead_letter_id",
				String.class);
	}

	long id(String name) {
		Long id = jdbc().queryForObject("select dead_letter_id from whizbang.wh_dead_letters where payload = ?",
				Long.class, name);
		return (id != null) ? id : 0;
	}

	DeadLetter letter(String name) {
		DeadLetter letter = this.letters.find(id(name));
		if (letter == null) {
			throw new AssertionError("No letter " + name);
		}
		return letter;
	}

	int waiting() {
		Integer count = jdbc().queryForObject("select count(*) from whizbang.wh_messages", Integer.class);
		return (count != null) ? count : 0;
	}

	@Override
	public void raise(Queue queue, Collection<Integer> partitionHashes) {
		this.signals.add(partitionHashes);
	}

	@Override
	public void decided(Action action, Queue queue, int count) {
		this.news.add("%s %s %d".formatted(action, queue.label(), count));
	}

	@Override
	public @Nullable Object batchKey(Work work) {
		return null;
	}

	@Override
	public List<Outcome> handle(List<Work> batch) {
		String name = batch.get(0).envelope().payload();
		if (this.doomed.contains(name)) {
			throw new PermanentFailureException("no hope for " + name, new IllegalStateException("the root"));
		}
		return List.of(Outcome.DONE);
	}

}
