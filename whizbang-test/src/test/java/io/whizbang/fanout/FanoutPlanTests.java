package io.whizbang.fanout;

import java.sql.Connection;
import java.sql.SQLException;
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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a round, a page and a slice cost does not depend on how many other cursors there
 * are. Buffers are counted, not time, in a session that made its plans on empty tables.
 */
@PostgresTest
class FanoutPlanTests {

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
		this.fixture.jdbc.execute(
				"""
						insert into whizbang.wh_fanout_topics (topic, every_ms, zone, next_run_at, token, defined_by, created_at, updated_at)
						values ('etl', 1000, 'UTC', now(), 1, 'app', now(), now());
						insert into whizbang.wh_fanout_policies values ('etl', '*', 1000, 0, false, now())""");
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
