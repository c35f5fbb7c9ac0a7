package io.whizbang.coordinator;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An empty queue in the test class's database, and a clock that stands still. A message
 * is known by its payload: "A2" is the second one of stream "A".
 */
final class CoordinatorFixture {

	static final Duration LEASE = CoordinatorSettings.defaults().lease();

	static final Duration STALE = CoordinatorSettings.defaults().staleAfter();

	private static final String SCHEMA = "whizbang";

	private final PostgresDatabase database;

	private final JdbcTemplate jdbc;

	private final DatabaseClock clock;

	private int streams;

	CoordinatorFixture(PostgresDatabase database) {
		this.database = database;
		this.jdbc = new JdbcTemplate(database.dataSource());
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.jdbc.execute(
				"""
						delete from whizbang.wh_messages;
						delete from whizbang.wh_scheduled;
						delete from whizbang.wh_claims;
						delete from whizbang.wh_dead_letters;
						delete from whizbang.wh_completed;
						delete from whizbang.wh_service_instances;
						update whizbang.wh_epoch set epoch = epoch + 1, members = '{}', partitions = 10000, low = 0, claim_low = 0""");
		this.clock = new DatabaseClock(database.dataSource());
		this.clock.freeze();
	}

	PostgresDatabase database() {
		return this.database;
	}

	JdbcTemplate jdbc() {
		return this.jdbc;
	}

	DatabaseClock clock() {
		return this.clock;
	}

	TestInstance join() {
		return join(CoordinatorSettings.defaults());
	}

	/**
	 * Registers an instance; its rank is above those of all others.
	 * @param settings what it goes by
	 * @return the instance
	 */
	TestInstance join(CoordinatorSettings settings) {
		long before = System.currentTimeMillis();
		while (System.currentTimeMillis() == before) {
			Thread.onSpinWait();
		}
		return new TestInstance(new JdbcWorkCoordinator(this.database.dataSource(), SCHEMA, settings, this.clock),
				this.jdbc);
	}

	List<TestInstance> join(int count) {
		return Stream.generate(this::join).limit(count).toList();
	}

	/**
	 * Stores messages in one transaction.
	 * @param names the payloads; without its number at the end, each is the name of its
	 * stream
	 */
	void enqueue(String... names) {
		enqueue(Stream.of(names).map((name) -> message(name, streamOf(name))).toList());
	}

	void enqueueKeyless(String... names) {
		enqueue(Stream.of(names).map((name) -> message(name, null)).toList());
	}

	void enqueue(List<NewMessage> messages) {
		this.jdbc.execute((Connection connection) -> {
			new JdbcMessageStore(SCHEMA).store(connection, Queue.OUTBOX, messages, true);
			return null;
		});
	}

	/**
	 * Stores numbered messages of one stream, starting with 1.
	 * @param stream the stream
	 * @param count how many
	 */
	void enqueueMany(String stream, int count) {
		this.jdbc.update(
				"""
						insert into whizbang.wh_messages
						    (queue, partition_hash, size, message_id, stream_id, stream_key, topic, message_type, headers, payload)
						select 1, ?, 2, gen_random_uuid(), ?, ?, 'test', 'Test', '{}', ? || n
						from generate_series(1, ?) n order by n""",
				partition(stream), StreamId.of(stream).value(), stream, stream, count);
	}

	static NewMessage message(String name, @Nullable String stream) {
		return message(name, stream, null);
	}

	static NewMessage message(String name, @Nullable String stream, @Nullable Duration delay) {
		return new NewMessage(MessageId.next(), "test", "Test", (stream != null) ? StreamId.of(stream) : null, Map.of(),
				name, delay, null);
	}

	static String streamOf(String name) {
		return name.replaceAll("[0-9]+$", "");
	}

	static int partition(String stream) {
		return StreamId.partitionHash(StreamId.of(stream).value()) % 10_000;
	}

	/**
	 * Returns a new stream of a share.
	 * @param members the number of members
	 * @param rank the place among them
	 * @return the stream's name
	 */
	String streamFor(int members, int rank) {
		String name;
		do {
			name = "s" + letters(this.streams++);
		}
		while (partition(name) % members != rank);
		return name;
	}

	List<String> streamsFor(int members, int rank, int count) {
		return Stream.generate(() -> streamFor(members, rank)).limit(count).toList();
	}

	private static String letters(int number) {
		return (number < 26) ? String.valueOf((char) ('a' + number))
				: letters(number / 26 - 1) + (char) ('a' + number % 26);
	}

	int members() {
		return number("select cardinality(members) from whizbang.wh_epoch where queue = 1");
	}

	int number(String sql, Object... arguments) {
		Integer number = this.jdbc.queryForObject(sql, Integer.class, arguments);
		return (number != null) ? number : 0;
	}

	/**
	 * Counts messages that wait, claimed or not.
	 * @return how many
	 */
	int waiting() {
		return number("select count(*) from whizbang.wh_messages");
	}

	int claims() {
		return number("select count(*) from whizbang.wh_claims");
	}

	String status(String name) {
		return this.jdbc.queryForObject(
				"""
						select w.status from whizbang.wh_work w join whizbang.wh_messages m on m.queue = w.queue and m.seq = w.seq
						where m.payload = ?""",
				String.class, name);
	}

	int attempts(String name) {
		return number("select attempts from whizbang.wh_messages where payload = ?", name);
	}

	@Nullable String error(String name) {
		return this.jdbc.queryForObject("select error from whizbang.wh_messages where payload = ?", String.class, name);
	}

	List<String> deadLetters() {
		return this.jdbc.queryForList("select payload from whizbang.wh_dead_letters order by dead_letter_id",
				String.class);
	}

}
