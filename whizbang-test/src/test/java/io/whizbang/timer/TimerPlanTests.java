package io.whizbang.timer;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a round costs, and what scheduling, moving and cancelling cost, does not depend on
 * how many timers are pending. Buffers are counted, not time; plans are made while the
 * table is empty.
 */
@PostgresTest
class TimerPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(TimerPlanTests.class);

	private static final JsonMapper JSON = JsonMapper.shared();

	private final JdbcTemplate jdbc;

	private final Connection session;

	private final UUID instance;

	private String memory = "";

	TimerPlanTests(PostgresDatabase database) throws SQLException {
		TimerFixture.install(database);
		this.jdbc = database.jdbc();
		this.jdbc.execute("truncate whizbang.wh_scheduled, whizbang.wh_messages, whizbang.wh_claims");
		this.instance = new JdbcWorkCoordinator(database.dataSource(), TimerFixture.SCHEMA,
				CoordinatorSettings.defaults())
			.register(new InstanceInfo("test", "localhost", 1, java.util.Map.of()), java.util.Set.of(Queue.OUTBOX));
		this.session = database.unpooledDataSource().getConnection();
		try (Statement statement = this.session.createStatement()) {
			statement.execute("create temp table answer (state jsonb)");
		}
		for (int i = 0; i < 10; i++) {
			round();
			operations(i);
		}
	}

	@AfterEach
	void close() throws SQLException {
		this.session.close();
	}

	private void fill(int count) {
		this.jdbc.execute(
				"""
						insert into whizbang.wh_scheduled
						    (queue, due_at, timer_due, timer_key, partition_hash, size, message_id, topic, message_type, headers, payload)
						select 1, t.due, t.due, case when n %% 2 = 0 then 'key-' || n end, n %% 10000, 2, md5('t' || n)::uuid, 'test', 'Test', '{}', '{}'
						from generate_series(1, %d) n cross join lateral (select clock_timestamp() + interval '1 hour' + n * interval '1 ms' as due) t"""
					.formatted(count));
	}

	private int round() throws SQLException {
		String request = """
				{"limit": 100, "suspects": 1, "steal": false, "behind_own": true, "lease_ms": 300000, "heartbeat_ms": 10000,
				 "dead_ms": 30000, "stale_ms": 600000, "max_bytes": 16777216, "debug": false, "synchronous_commit": false%s}"""
			.formatted(this.memory.isEmpty() ? "" : ", \"memory\": " + this.memory);
		int buffers = buffers(
				"insert into answer select state from whizbang.process_work_batch(1::smallint, '%s', '%s', '%s')"
					.formatted(this.instance, "{\"knows_all\": true, \"outcomes\": [], \"claims\": []}", request));
		try (Statement statement = this.session.createStatement();
				ResultSet rows = statement.executeQuery("select max(state::text) from answer")) {
			rows.next();
			this.memory = JSON.readTree(rows.getString(1)).get("memory").toString();
		}
		return buffers;
	}

	private int operations(int number) throws SQLException {
		String id = "md5('new' || " + number + ")::uuid";
		int buffers = buffers("select * from whizbang.schedule_timers(array[" + id + "], array['new'], array[false], "
				+ "array[null]::uuid[], array[null]::text[], array[1], array['test'], array['Test'], array['{}']::jsonb[], "
				+ "array['{}'], array[5000000000]::bigint[], array[null]::timestamptz[])");
		buffers += buffers("select * from whizbang.reschedule_timer(" + id + ", null, 6000000000, null)");
		buffers += buffers("select * from whizbang.reschedule_timer(null, 'new', 6000000000, null)");
		buffers += buffers("select * from whizbang.find_timer(" + id + ", null)");
		buffers += buffers("select * from whizbang.find_timer(null, 'new')");
		buffers += buffers("select * from whizbang.renew_timers(array[" + id + "])");
		buffers += buffers("select * from whizbang.cancel_timers(array[" + id + "], array['absent'])");
		buffers += buffers("select * from whizbang.list_timers(null, null, null, 10)");
		buffers += buffers("select whizbang.count_timers(10)");
		return buffers;
	}

	private int buffers(String sql) throws SQLException {
		try (Statement statement = this.session.createStatement();
				ResultSet rows = statement.executeQuery("explain (analyze, buffers, format json) " + sql)) {
			rows.next();
			JsonNode plan = JSON.readTree(rows.getString(1)).get(0).get("Plan");
			return plan.get("Shared Hit Blocks").intValue() + plan.get("Shared Read Blocks").intValue();
		}
	}

	private int leastOfRounds() throws SQLException {
		int least = Integer.MAX_VALUE;
		for (int i = 0; i < 8; i++) {
			least = Math.min(least, round());
		}
		return least;
	}

	private void makeDue(int count) {
		this.jdbc.update("""
				update whizbang.wh_scheduled set due_at = clock_timestamp(), timer_due = clock_timestamp()
				where message_id in (select md5('t' || n)::uuid from generate_series(1, ?) n)""", count);
	}

	@Test
	void costsDoNotDependOnHowManyTimersArePending() throws SQLException {
		fill(1_000);
		int fewRound = leastOfRounds();
		int fewOperations = operations(100);
		makeDue(50);
		int fewFiring = round();
		this.jdbc.execute("truncate whizbang.wh_scheduled, whizbang.wh_messages, whizbang.wh_claims");
		fill(1_000_000);
		int manyRound = leastOfRounds();
		int manyOperations = operations(101);
		makeDue(50);
		int manyFiring = round();
		logger.info(
				"Buffers with 1 000 and 1 000 000 pending: round {} and {}, round that fires 50 {} and {}, operations {} and {}",
				fewRound, manyRound, fewFiring, manyFiring, fewOperations, manyOperations);
		assertThat(manyRound).as("round").isLessThanOrEqualTo(fewRound + 15);
		// Each row costs a few levels more in three indexes.
		assertThat(manyFiring).as("round that fires").isLessThanOrEqualTo(fewFiring + 50 * 8);
		assertThat(manyOperations).as("operations").isLessThanOrEqualTo(fewOperations + 60);
	}

}
