package io.whizbang.fanout;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
 * What a round, a page and a slice cost depends neither on how many other cursors there
 * are nor on what is dead of them behind an old transaction (G9). Buffers are counted,
 * not time, in a session that made its plans on empty tables.
 */
@PostgresTest
class FanoutPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(FanoutPlanTests.class);

	/** So many were completed behind an old transaction. */
	private static final int WINDOWS = 40;

	private static final String WORK = "array_fill('work'::text, array[100])";

	private static final String OLD = IntStream.range(1, 101)
		.mapToObj((n) -> "shard-" + n)
		.collect(Collectors.joining(",", "'{", "}'"));

	private static final String NEW = IntStream.range(1, 101)
		.mapToObj((n) -> "new-" + n)
		.collect(Collectors.joining(",", "'{", "}'"));

	private static final List<String> ROUND = List.of("due_fanout_topics('{etl}')", "next_fanout_ms('{etl}')",
			"plan_fanout_page('etl', 1, now(), " + WORK + ", " + OLD + ", 1000)",
			"plan_fanout_page('etl', 1, now(), " + WORK + ", " + NEW + ", 1000)",
			"begin_fanout_slice('etl', 'work', 'shard-7', now() - interval '7 days', now(), true)",
			"complete_fanout_slice('etl', 'work', 'shard-7', now() - interval '7 days', now())",
			"list_fanout_cursors('etl', 'work', 'shard-5', 20)", "purge_fanout_cursors(86400000, 100)");

	private final PostgresDatabase database;

	private FanoutFixture fixture;

	private Connection session;

	private Buffers buffers;

	FanoutPlanTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() throws SQLException {
		this.fixture = new FanoutFixture(this.database);
		this.session = this.database.unpooledDataSource().getConnection();
		this.buffers = new Buffers(this.session);
		this.session.setAutoCommit(false);
		this.fixture.jdbc.execute("analyze whizbang.wh_fanout_cursors");
		for (int i = 0; i < 4; i++) {
			round();
		}
		this.session.rollback();
	}

	@AfterEach
	void tearDown() throws SQLException {
		this.session.close();
		this.fixture.close();
	}

	@Test
	void costDoesNotGrowWithTheCursors() throws SQLException {
		defineTopic();
		fill(1, 1_000);
		Map<String, Integer> few = round();
		this.session.rollback();
		fill(1_001, 200_000);
		this.fixture.jdbc.execute("analyze whizbang.wh_fanout_cursors");
		Map<String, Integer> many = round();
		this.session.rollback();
		few.forEach((call, buffers) -> assertThat(many.get(call)).as("buffers of %s, which were %d", call, buffers)
			.isLessThan(2 * buffers + 50));
	}

	@Test
	void costDoesNotGrowWithTheDeadCursorsOfOthersBehindAnOldTransaction() throws SQLException {
		defineTopic();
		fill(1, 1_000);
		try (Connection old = openOld()) {
			Map<String, Integer> few = round();
			this.session.rollback();
			this.fixture.jdbc.execute(
					"""
							insert into whizbang.wh_fanout_cursors (topic, work_key, shard_key, completed_until, planned_at)
							select t, 'work', 'gone-' || n, now() - interval '1 hour', now() - interval '1 minute'
							from unnest(array['etl', 'other']) t, generate_series(1, 20000) n;
							update whizbang.wh_fanout_cursors set completed_until = now(), planned_at = now() where shard_key like 'gone-%';
							delete from whizbang.wh_fanout_cursors where shard_key like 'gone-%'""");
			Map<String, Integer> many = round();
			this.session.rollback();
			logger.info("Behind an old transaction: {}; after 40 000 other cursors came and went: {}", few, many);
			few.forEach((call, buffers) -> assertThat(many.get(call)).as("buffers of %s, which were %d", call, buffers)
				.isLessThan(2 * buffers + 50));
			assertThat(old.isClosed()).isFalse();
		}
	}

	/**
	 * Each window leaves two versions of a cursor that nobody can clear away, and that
	 * whoever looks for the cursor passes: a limit that is known. What is asked in every
	 * round reads but the versions of the topic, many of which are on a page.
	 */
	@Test
	void aShardBehindAnOldTransactionCostsAFewBuffersForEachWindowBeforeAndNoMore() throws SQLException {
		defineTopic();
		fill(1, 1_000);
		try (Connection old = openOld()) {
			Map<String, Integer> few = round();
			this.session.rollback();
			for (int i = 0; i < WINDOWS; i++) {
				this.fixture.jdbc.execute(
						"update whizbang.wh_fanout_topics set token = token + 1, started_at = now(), ended_at = null;"
								+ "update whizbang.wh_fanout_cursors set planned_until = now(), planned_at = clock_timestamp() - interval '1 minute';"
								+ "update whizbang.wh_fanout_cursors set planned_until = null, completed_at = now();"
								+ "update whizbang.wh_fanout_topics set token = token - 1, ended_at = now(), last_until = now()");
			}
			Map<String, Integer> many = round();
			this.session.rollback();
			logger.info("Behind an old transaction: {}; {} windows later: {}", few, WINDOWS, many);
			few.forEach((call, buffers) -> assertThat(many.get(call)).as("buffers of %s, which were %d", call, buffers)
				.isLessThan(2 * buffers + 50 + cursors(call) * WINDOWS * 5));
			assertThat(old.isClosed()).isFalse();
		}
	}

	/** How many cursors a call looks for. */
	private static int cursors(String call) {
		if (call.startsWith("plan_fanout_page") && call.contains(OLD)) {
			return 100;
		}
		return call.contains("_slice(") ? 1 : call.startsWith("list_") ? 20 : 0;
	}

	private Connection openOld() throws SQLException {
		Connection old = this.database.unpooledDataSource().getConnection();
		old.setAutoCommit(false);
		old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
		try (Statement statement = old.createStatement()) {
			statement.execute("select count(*) from whizbang.wh_fanout_cursors");
		}
		return old;
	}

	private void defineTopic() {
		this.fixture.jdbc.execute(
				"""
						insert into whizbang.wh_fanout_topics (topic, every_ms, zone, next_run_at, token, defined_by, created_at, updated_at)
						values ('etl', 1000, 'UTC', now(), 1, 'app', now(), now());
						insert into whizbang.wh_fanout_policies values ('etl', '*', 1000, 0, false, now())""");
	}

	private void fill(int from, int to) {
		this.fixture.jdbc.update(
				"""
						insert into whizbang.wh_fanout_cursors (topic, work_key, shard_key, completed_until, planned_at)
						select 'etl', 'work', 'shard-' || n, date_trunc('day', now()) - interval '7 days', now() - interval '1 minute'
						from generate_series(?::int, ?::int) n""",
				from, to);
	}

	private Map<String, Integer> round() throws SQLException {
		Map<String, Integer> buffers = new LinkedHashMap<>();
		for (String call : ROUND) {
			buffers.put(call, this.buffers.steadilyUndone("select * from whizbang." + call));
		}
		return buffers;
	}

}
