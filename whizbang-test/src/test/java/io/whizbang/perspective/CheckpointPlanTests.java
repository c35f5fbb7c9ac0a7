package io.whizbang.perspective;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.test.Buffers;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a round of an instance costs, and a step of a stream that goes by itself, does not
 * depend on how many streams there are or wait, nor on what is dead behind a transaction
 * that stays open. Buffers are counted, not time; plans are made on empty tables.
 */
@PostgresTest
class CheckpointPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(CheckpointPlanTests.class);

	private static final String RULES = "{\"heartbeat_ms\": 3600000, \"dead_ms\": 3600000, \"stale_ms\": 3600000}";

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	private final UUID instance;

	private final long run;

	private final Connection session;

	private final Buffers buffers;

	CheckpointPlanTests(PostgresDatabase database) throws SQLException {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
		this.instance = new JdbcWorkCoordinator(database.dataSource(), PerspectiveFixture.SCHEMA,
				PerspectiveFixture.RULES)
			.register(new InstanceInfo("test", "localhost", 1, Map.of()), Set.of(Queue.PERSPECTIVES));
		this.run = this.fixture.count("select run_id from whizbang.open_perspective('p', 1, 16)");
		this.fixture.jdbc
			.execute("select whizbang.join_perspectives('%s', array['p'], array[1])".formatted(this.instance));
		for (String table : new String[] { "wh_events", "wh_streams", "wh_perspective_checkpoints",
				"wh_perspective_shards" }) {
			this.fixture.jdbc.execute("vacuum analyze whizbang." + table);
		}
		this.session = database.unpooledDataSource().getConnection();
		this.buffers = new Buffers(this.session);
		this.session.setAutoCommit(false);
		for (int i = 0; i < 10; i++) {
			this.buffers.of(hold());
			this.buffers.of(due(16));
			this.buffers.of(nextDue(16));
			this.buffers.of(read(1, 0));
			this.buffers.of(move(0, 0, 1, true));
			this.buffers.of(fail(0, 0));
		}
		this.session.rollback();
		this.session.setAutoCommit(true);
		this.buffers.of(hold());
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_shards where holder = ?",
				this.instance))
			.isEqualTo(16);
	}

	@AfterEach
	void close() throws SQLException {
		this.session.close();
		this.fixture.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1000, 100_000 })
	void costDoesNotGrowWithTheStreamsThatFollow(int count) throws SQLException {
		events(count);
		checkpoints(1, count, 0, "null");
		// The one that the steps below are about.
		checkpoints(0, 0, 1, "now() + interval '1 hour'");
		assertFlat(count + " streams that follow");
		assertThat(rows(due(16))).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1000, 100_000 })
	void costDoesNotGrowWithTheStreamsThatWait(int count) throws SQLException {
		events(count);
		checkpoints(0, count, 1, "now() + interval '1 hour' + n * interval '1 ms'");
		assertFlat(count + " streams that wait");
		assertThat(rows(due(16))).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1000, 100_000 })
	void costDoesNotGrowWithTheStreamsThatAreDue(int count) throws SQLException {
		events(count);
		checkpoints(0, count, 1, "now() - interval '1 hour' + n * interval '1 ms'");
		assertFlat(count + " streams that are due");
		assertThat(rows(due(16))).isEqualTo(10);
	}

	@Test
	void aRoundReadsEveryShardOnceHoweverManyThereAre() throws SQLException {
		int few = this.buffers.steadily(hold());
		for (int i = 0; i < 19; i++) {
			this.fixture.count("select run_id from whizbang.open_perspective('p-%d', 1, 16)".formatted(i));
			this.fixture.jdbc.execute(
					"select whizbang.join_perspectives('%s', array['p-%d'], array[1])".formatted(this.instance, i));
		}
		this.buffers.of(hold());
		assertThat(rows(hold())).isEqualTo(320);
		int many = this.buffers.steadily(hold());
		logger.info("A round with 16 shards: {} buffers, with 320: {}", few, many);
		assertThat(many).isLessThanOrEqualTo(20 * few);
	}

	@Test
	void aStreamThatFailsAgainAndAgainBehindAnOldTransactionCostsLittleMore() throws SQLException {
		int streams = 200;
		events(streams);
		checkpoints(0, streams, 1, "now() + interval '1 hour'");
		try (Connection old = oldTransaction()) {
			int early = costOfWaiting();
			int times = 10;
			for (int i = 0; i < times; i++) {
				for (int stream = 0; stream <= streams; stream++) {
					this.buffers.of(fail(stream, 0));
				}
			}
			int late = costOfWaiting();
			logger.info("Behind an old transaction: {} buffers, {} tries later {}", early, times * streams, late);
			assertThat(late - early).isLessThanOrEqualTo(times * streams);
			old.rollback();
		}
	}

	@Test
	void shardsAndAStreamThatMoveAgainAndAgainBehindAnOldTransactionCostLittleMore() throws SQLException {
		events(10);
		checkpoints(0, 10, 1, "now() + interval '1 hour'");
		try (Connection old = oldTransaction()) {
			int earlyRound = this.buffers.steadily(hold());
			int earlyStep = step();
			int moves = 1000;
			this.fixture.jdbc.execute(
					"""
							do $$ begin
							    for i in 1 .. %d loop
							        update whizbang.wh_perspective_shards set moved_at = clock_timestamp();
							        update whizbang.wh_perspective_checkpoints set updated_at = clock_timestamp() where stream_id = md5('0')::uuid;
							        commit;
							    end loop;
							end $$"""
						.formatted(moves));
			int lateRound = this.buffers.steadily(hold());
			int lateStep = step();
			logger.info(
					"Behind an old transaction: a round {} buffers, a step {}; {} moves of 16 shards later {} and {}",
					earlyRound, earlyStep, moves, lateRound, lateStep);
			assertThat(lateRound - earlyRound).isLessThanOrEqualTo(2 * moves);
			assertThat(lateStep - earlyStep).isLessThanOrEqualTo(moves / 2);
			old.rollback();
		}
	}

	/**
	 * Whoever forbids a plan makes others look expensive, and those are compiled first.
	 */
	@Test
	void noStatementIsCompiledBecauseItsPlanOnlyLooksExpensive() {
		assertThat(this.fixture.jdbc.queryForList(
				"""
						select proname from pg_proc
						where pronamespace = 'whizbang'::regnamespace and proname ~ 'perspective|feed_|event|^read_stream|^advance_stream'
						  and proconfig::text like '%enable_%' and not 'jit=off' = any (proconfig)""",
				String.class))
			.isEmpty();
	}

	private Connection oldTransaction() throws SQLException {
		Connection old = this.database.unpooledDataSource().getConnection();
		old.setAutoCommit(false);
		old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
		try (Statement statement = old.createStatement()) {
			statement.execute("select pg_current_xact_id()");
		}
		return old;
	}

	private void assertFlat(String beside) throws SQLException {
		assertWithin(150, "a round beside " + beside, this.buffers.steadily(hold()));
		assertWithin(90, "due ones of all shards", this.buffers.steadily(due(16)));
		assertWithin(90, "due ones of half the shards", this.buffers.steadily(due(8)));
		assertWithin(30, "the next one of all shards", this.buffers.steadily(nextDue(16)));
		assertWithin(30, "the next one of half the shards", this.buffers.steadily(nextDue(8)));
		assertWithin(30, "the events of a stream", this.buffers.steadily(read(1, 0)));
		assertThat(rows(read(1, 0))).isEqualTo(1);
		this.session.setAutoCommit(false);
		assertWithin(40, "a stream that moves and follows", this.buffers.steadilyUndone(move(0, 0, 1, true)));
		assertWithin(40, "a stream that moves", this.buffers.steadilyUndone(move(0, 0, 1, false)));
		assertWithin(60, "a stream that fails", this.buffers.steadilyUndone(fail(0, 0)));
		assertThat(answer(move(0, 0, 1, true))).isEqualTo("t");
		this.session.rollback();
		this.session.setAutoCommit(true);
	}

	private int costOfWaiting() throws SQLException {
		return this.buffers.steadily(hold()) + this.buffers.steadily(due(16)) + this.buffers.steadily(nextDue(16));
	}

	private int step() throws SQLException {
		this.session.setAutoCommit(false);
		int buffers = this.buffers.steadilyUndone(move(0, 0, 1, true));
		this.session.rollback();
		this.session.setAutoCommit(true);
		return buffers;
	}

	private int rows(String sql) throws SQLException {
		try (Statement statement = this.session.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
			int count = 0;
			while (rows.next()) {
				count++;
			}
			return count;
		}
	}

	private String answer(String sql) throws SQLException {
		try (Statement statement = this.session.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
			rows.next();
			return rows.getString(1);
		}
	}

	private static void assertWithin(int bound, String what, int buffers) {
		logger.info("{}: {} buffers", what, buffers);
		assertThat(buffers).as(what).isLessThanOrEqualTo(bound);
	}

	/** Streams of one event each. */
	private void events(int count) {
		this.fixture.jdbc.execute("""
				insert into whizbang.wh_events
				    (version, recorded_at, stream_id, event_id, type_version, event_type, metadata, payload)
				select 1, now(), md5(n::text)::uuid, md5(n::text)::uuid, 1, 'noted', '{}', '{"number":1}'
				from generate_series(1, %d) n""".formatted(count));
		this.fixture.jdbc.execute("""
				insert into whizbang.wh_streams select md5(n::text)::uuid, null, 1, now(), now()
				from generate_series(1, %d) n""".formatted(count));
	}

	private void checkpoints(int from, int to, int status, String due) {
		this.fixture.jdbc.execute("""
				insert into whizbang.wh_perspective_checkpoints
				    (run_id, stream_id, version, status, next_attempt_at, created_at, updated_at)
				select %d, md5(n::text)::uuid, 0, %d, %s, now(), now() from generate_series(%d, %d) n"""
			.formatted(this.run, status, due, from, to));
	}

	private String hold() {
		return "select * from whizbang.hold_perspectives('%s', 3600000, '%s', '{}', '{}')".formatted(this.instance,
				RULES);
	}

	private String due(int shards) {
		return "select * from whizbang.due_perspective_streams(%d, array(select generate_series(0, %d)), 16, 10)"
			.formatted(this.run, shards - 1);
	}

	private String nextDue(int shards) {
		return "select whizbang.next_perspective_due(%d, array(select generate_series(0, %d)), 16)".formatted(this.run,
				shards - 1);
	}

	private static String read(int stream, long after) {
		return """
				select * from whizbang.read_perspective_stream(md5('%d')::uuid, %d, '%s', 1000000, 1000000, '%s', 1000000, 1000000,
				    1000000, '{}', 100, 4194304)"""
			.formatted(stream, after, Tick.START.snapshot(), Tick.START.snapshot());
	}

	private String move(int stream, long found, long version, boolean follows) {
		return """
				select whizbang.commit_perspective_stream(%1$d, '%2$s', whizbang.stream_shard(md5('%3$d')::uuid, 16), 1, 0,
				    md5('%3$d')::uuid, %4$d, %5$d, 1, null, %6$s)"""
			.formatted(this.run, this.instance, stream, found, version, follows);
	}

	private String fail(int stream, long found) {
		return """
				select whizbang.fail_perspective_stream(%1$d, '%2$s', array[whizbang.stream_shard(md5('%3$d')::uuid, 16)], array[1],
				    array[0], md5('%3$d')::uuid, %4$d, %4$d + 1, 3600000, null, 'bad event')"""
			.formatted(this.run, this.instance, stream, found);
	}

}
