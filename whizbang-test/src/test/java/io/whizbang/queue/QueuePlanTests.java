package io.whizbang.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

import io.whizbang.test.Buffers;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a statement about work queues costs depends neither on the number of keys nor on
 * that of messages, nor on what is dead behind an old transaction (G9). Buffers are
 * counted, not time, in a session that made its plans on empty tables.
 */
@PostgresTest
class QueuePlanTests {

	private static final Logger logger = LoggerFactory.getLogger(QueuePlanTests.class);

	private static final String ANALYZE = "analyze whizbang.wh_queue_messages; analyze whizbang.wh_queue_keys";

	private final PostgresDatabase database;

	private QueueFixture fixture;

	private Connection session;

	private QueueCosts costs;

	QueuePlanTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() throws SQLException {
		this.fixture = new QueueFixture(this.database);
		this.fixture.jdbc.execute(ANALYZE);
		this.session = this.database.unpooledDataSource().getConnection();
		this.session.setAutoCommit(false);
		this.costs = new QueueCosts(this.session);
		for (int i = 0; i < 4; i++) {
			this.costs.ofOneMessage();
		}
	}

	@AfterEach
	void tearDown() throws SQLException {
		this.session.close();
		this.fixture.close();
	}

	@Test
	void costGrowsNeitherWithTheKeysNorWithTheMessages() throws SQLException {
		fill(1, 10, 100);
		Map<String, Integer> few = this.costs.of(0, "-infinity");
		fill(11, 20, 90_000);
		fill(21, 100_000, 1);
		assertFlat("1 000 000 messages of 100 000 keys", few, this.costs.of(0, "-infinity"));
		this.fixture.jdbc.execute(ANALYZE);
		assertFlat("1 000 000 messages of 100 000 keys, analysed", few, this.costs.of(0, "-infinity"));
	}

	@Test
	void costDoesNotGrowWithTheMessagesOfAKey() throws SQLException {
		fill(1, 10, 20);
		Map<String, Integer> few = this.costs.of(0, "-infinity");
		this.fixture.jdbc.execute("delete from whizbang.wh_queue_keys; delete from whizbang.wh_queue_messages");
		fill(11, 20, 5_000);
		assertFlat("5 000 messages of each key", few, this.costs.of(place(11) - 1, "-infinity"));
	}

	@Test
	void costDoesNotGrowBehindAnOldTransaction() throws SQLException {
		try (Connection old = this.database.unpooledDataSource().getConnection();
				Statement statement = old.createStatement()) {
			old.setAutoCommit(false);
			old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.executeQuery("select count(*) from whizbang.wh_queue_keys").close();
			fill(1, 10, 20);
			Map<String, Integer> few = costsFromMarks();
			leaveDeadEntries();
			Map<String, Integer> blind = this.costs.of(0, "-infinity");
			assertFlat("dead entries", few, costsFromMarks());
			for (String statementName : new String[] { "dequeue_batches", "next_queue_ms", "mark_queue" }) {
				assertThat(blind.get(statementName)).as("buffers of a %s that reads the dead", statementName)
					.isGreaterThan(bound(few.get(statementName)));
			}
		}
	}

	@Test
	void costOfBuryingGrowsNoFasterThanTheMessages() throws SQLException {
		fill(1, 1, 10_000);
		try (Statement statement = this.session.createStatement()) {
			// Not a measure: each with each, ten thousand take several times as long.
			statement.execute("set statement_timeout = '5s'");
			this.session.commit();
		}
		int few = costOfBurying(1_000);
		assertThat(costOfBurying(10_000)).as("buffers of 10 000 messages, which were %d for 1 000", few)
			.isLessThan(14 * few);
	}

	private int costOfBurying(int messages) throws SQLException {
		int buffers = new Buffers(this.session).steadilyUndone("""
				select whizbang.bury_queue_messages(array_agg(m.key_id), array_agg(m.seq), array_agg('permanent'::text),
				    array_agg('boom'::text), true, now())
				from (select n.key_id, n.seq from whizbang.wh_queue_messages n limit %d) m""".formatted(messages));
		this.session.rollback();
		return buffers;
	}

	@Test
	void costOfLookingAtAnIdleQueueDoesNotGrowWithTheKeysOfOthers() throws SQLException {
		Map<String, Integer> few = costsOfLooking();
		this.fixture.jdbc.execute(
				"""
						with keys as (
						    insert into whizbang.wh_queue_keys (queue, key_id, partition_hash, state, place, due_at, routing_key)
						    select case when n % 2 = 0 then 'a' else 'z' end, md5(n::text)::uuid, n, case when n % 4 < 2 then 1 else 0 end, n, now(),
						        n::text
						    from generate_series(1, 100000) n
						    returning queue, key_id, place
						)
						insert into whizbang.wh_queue_messages (queue, key_id, seq, size, created_at, message_id, message_type, headers, payload)
						select k.queue, k.key_id, k.place, 2, now(), gen_random_uuid(), 't', '{}', '{}' from keys k""");
		assertFlat("100 000 keys of other queues", few, costsOfLooking());
		this.fixture.jdbc.execute(ANALYZE);
		assertFlat("100 000 keys of other queues, analysed", few, costsOfLooking());
	}

	@Test
	void costOfAskingWhatIsDueDoesNotGrowWithTheWaitingKeysOfAPausedQueue() throws SQLException {
		this.fixture.store.pause("q", "ada");
		fillWaiting(1, 10);
		int few = costOfAskingWhatIsDue();
		fillWaiting(11, 20_000);
		assertThat(costOfAskingWhatIsDue()).as("buffers of 20 000 keys, which were %d for 10", few)
			.isLessThan(bound(few));
	}

	private void fillWaiting(int from, int to) {
		fill(from, to, 1);
		this.fixture.jdbc.execute("update whizbang.wh_queue_keys set state = 1, due_at = now() + interval '1 hour'");
	}

	private int costOfAskingWhatIsDue() throws SQLException {
		int buffers = new Buffers(this.session)
			.steadilyUndone("select whizbang.next_queue_ms(array['q'], '-infinity', null)");
		this.session.rollback();
		return buffers;
	}

	private Map<String, Integer> costsOfLooking() throws SQLException {
		Buffers buffers = new Buffers(this.session);
		Map<String, Integer> costs = new LinkedHashMap<>();
		for (String call : new String[] { "list_queues(array['q'], 10000)", "queue_names(null, 100)",
				"list_queue_keys('q', 100)" }) {
			costs.put(call, buffers.steadilyUndone("select * from whizbang." + call));
		}
		this.session.rollback();
		return costs;
	}

	/**
	 * Each leaves two versions of the row of its key, which nobody can clear away, and
	 * which whoever writes another one passes: a limit that is known.
	 */
	@Test
	void aBatchOfABusyKeyBehindAnOldTransactionCostsTwoBuffersForEachBeforeAndNoMore() throws SQLException {
		try (Connection old = this.database.unpooledDataSource().getConnection();
				Statement statement = old.createStatement()) {
			old.setAutoCommit(false);
			old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.executeQuery("select count(*) from whizbang.wh_queue_keys").close();
			Map<String, Integer> few = costsOfABusyKey();
			for (int i = 0; i < 2_000; i++) {
				this.fixture.queues.enqueue("q", "a", i);
				this.fixture.queues.ack(this.fixture.queues.dequeueBatch("q").orElseThrow());
			}
			Map<String, Integer> many = costsOfABusyKey();
			logger.info("One key behind an old transaction: {}; after 2 000 batches: {}", few, many);
			few.forEach((call, buffers) -> assertThat(many.get(call)).as("buffers of %s, which were %d", call, buffers)
				.isLessThan(buffers + 200 + 2 * 2_000));
			// These read what became due during the last ten seconds, and no more.
			assertThat(many.get("mark_queue")).isLessThan(few.get("mark_queue") + 200);
			assertThat(many.get("next_queue_ms")).isLessThan(few.get("next_queue_ms") + 200);
		}
	}

	private Map<String, Integer> costsOfABusyKey() throws SQLException {
		for (int i = 0; i < 10; i++) {
			this.fixture.queues.enqueue("q", "a", i);
		}
		Map<String, Integer> costs = costsFromMarks();
		this.fixture.queues.ack(this.fixture.queues.dequeueBatch("q").orElseThrow());
		return costs;
	}

	/** A look commits after 500 of them, so that is the most that it may cost. */
	@Test
	void costOfKeysWithoutMessagesGrowsNoFasterThanTheirNumber() throws SQLException {
		int few = costOfEmptyKeys(100);
		assertThat(costOfEmptyKeys(400)).as("buffers of 400 keys without messages, which were %d for 100", few)
			.isLessThan(6 * few);
		assertThat(costOfEmptyKeys(10_000)).as("buffers of a look at 10 000, which were %d for 100", few)
			.isLessThan(8 * few);
	}

	private int costOfEmptyKeys(int keys) throws SQLException {
		this.fixture.jdbc.execute("delete from whizbang.wh_queue_keys");
		this.fixture.jdbc.update(
				"""
						insert into whizbang.wh_queue_keys (queue, key_id, partition_hash, place, low, upto, due_at, routing_key)
						select 'q', gen_random_uuid(), n, nextval('whizbang.wh_message_seq'), n, n, now(), n::text
						from generate_series(1, ?) n""",
				keys);
		fill(1, 1, 1);
		return this.costs.ofDequeueing(place(1) - keys - 1);
	}

	private Map<String, Integer> costsFromMarks() throws SQLException {
		QueueMarks marks = this.fixture.store.mark("q", QueueMarks.UNKNOWN);
		return this.costs.of(marks.low(), String.valueOf(marks.dueFrom()));
	}

	private static void assertFlat(String what, Map<String, Integer> few, Map<String, Integer> many) {
		few.forEach((statement, buffers) -> assertThat(many.get(statement))
			.as("buffers of %s with %s, which were %d with few", statement, what, buffers)
			.isLessThan(bound(buffers)));
	}

	private static int bound(int few) {
		return 2 * few + 60;
	}

	private long place(int key) {
		Long place = this.fixture.jdbc.queryForObject(
				"select place from whizbang.wh_queue_keys where key_id = md5(?::text)::uuid", Long.class, key);
		return (place != null) ? place : 0;
	}

	/**
	 * Keys that were ready, that waited and that were delayed, all gone; and ten whose
	 * first messages are gone.
	 */
	private void leaveDeadEntries() {
		fill(1_000_001, 1_020_000, 1);
		this.fixture.jdbc.execute(
				"""
						update whizbang.wh_queue_keys set state = 1, due_at = now() - interval '1 minute' where partition_hash % 2 = 0;
						insert into whizbang.wh_scheduled
						    (queue, due_at, partition_hash, size, message_id, topic, message_type, headers, payload)
						select 5, now() - interval '1 minute', 1, 2, gen_random_uuid(), 'q', 't', '{}', '{}'
						from generate_series(1, 10000) n""");
		this.fixture.jdbc.execute("""
				delete from whizbang.wh_queue_keys;
				delete from whizbang.wh_queue_messages;
				delete from whizbang.wh_scheduled""");
		fill(2_000_001, 2_000_010, 2_000);
		this.fixture.jdbc.execute("""
				update whizbang.wh_queue_keys k
				set low = (select max(m.seq) - 10 * 10 from whizbang.wh_queue_messages m where m.key_id = k.key_id);
				delete from whizbang.wh_queue_messages m using whizbang.wh_queue_keys k
				where k.key_id = m.key_id and m.seq <= k.low""");
	}

	private void fill(int from, int to, int messages) {
		this.fixture.jdbc.update(
				"""
						with keys as (
						    insert into whizbang.wh_queue_keys (queue, key_id, partition_hash, place, due_at, routing_key)
						    select 'q', md5(n::text)::uuid, n, nextval('whizbang.wh_message_seq'), now(), n::text
						    from generate_series(?::int, ?::int) n
						    returning key_id
						)
						insert into whizbang.wh_queue_messages (queue, key_id, seq, size, created_at, message_id, message_type, headers, payload)
						select 'q', k.key_id, nextval('whizbang.wh_message_seq'), 2, now(), gen_random_uuid(), 't', '{}', '{}'
						from generate_series(1, ?), keys k""",
				from, to, messages);
	}

}
