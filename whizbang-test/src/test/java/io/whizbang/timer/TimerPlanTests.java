package io.whizbang.timer;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.test.Buffers;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a round costs, and what scheduling, moving and cancelling cost, does not depend on
 * how many timers are pending. Buffers are counted, not time; plans are made while the
 * table is empty and known to be, when every index looks as good as the right one.
 */
@PostgresTest
class TimerPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(TimerPlanTests.class);

	private static final JsonMapper JSON = JsonMapper.shared();

	private final JdbcTemplate jdbc;

	private final Connection session;

	private final Buffers buffers;

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
		this.buffers = new Buffers(this.session);
		try (Statement statement = this.session.createStatement()) {
			statement.execute("create temp table answer (state jsonb)");
		}
		planAnew();
	}

	private void planAnew() throws SQLException {
		this.jdbc.execute("analyze whizbang.wh_scheduled");
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
		int buffers = this.buffers
			.of("insert into answer select state from whizbang.process_work_batch(1::smallint, '%s', '%s', '%s')"
				.formatted(this.instance, "{\"knows_all\": true, \"outcomes\": [], \"claims\": []}", request));
		try (Statement statement = this.session.createStatement()) {
			ResultSet rows = statement.executeQuery("select max(state::text) from answer");
			rows.next();
			this.memory = JSON.readTree(rows.getString(1)).get("memory").toString();
			statement.execute("truncate answer");
		}
		return buffers;
	}

	private int operations(int number) throws SQLException {
		String id = "md5('new' || " + number + ")::uuid";
		int buffers = this.buffers.of("select * from whizbang.schedule_timers(array[" + id
				+ "], array['new'], array[false], "
				+ "array[null]::uuid[], array[null]::text[], array[1], array['test'], array['Test'], array['{}']::jsonb[], "
				+ "array['{}'], array[5000000000]::bigint[], array[null]::timestamptz[])");
		buffers += this.buffers.of("select * from whizbang.reschedule_timer(" + id + ", null, 6000000000, null)");
		buffers += this.buffers.of("select * from whizbang.reschedule_timer(null, 'new', 6000000000, null)");
		buffers += this.buffers.of("select * from whizbang.find_timer(" + id + ", null)");
		buffers += this.buffers.of("select * from whizbang.find_timer(null, 'new')");
		buffers += this.buffers.of("select * from whizbang.renew_timers(array[" + id + "])");
		buffers += this.buffers.of("select * from whizbang.cancel_timers(array[" + id + "], array['absent'])");
		buffers += this.buffers.of("select * from whizbang.list_timers(null, null, null, 10)");
		buffers += this.buffers.of("select whizbang.count_timers(10)");
		return buffers;
	}

	private int leastOfRounds() throws SQLException {
		int least = Integer.MAX_VALUE;
		for (int i = 0; i < 8; i++) {
			least = Math.min(least, round());
		}
		return least;
	}

	// The first ones may plan anew, after an analyze by autovacuum.

	private int leastOfOperations() throws SQLException {
		return Math.min(operations(100), operations(101));
	}

	private int leastOfFirings() throws SQLException {
		makeDue(1, 50);
		int first = round();
		makeDue(51, 100);
		return Math.min(first, round());
	}

	private void makeDue(int from, int to) {
		this.jdbc.update("""
				update whizbang.wh_scheduled set due_at = clock_timestamp(), timer_due = clock_timestamp()
				where message_id in (select md5('t' || n)::uuid from generate_series(?, ?) n)""", from, to);
	}

	@Test
	void costsDoNotDependOnHowManyTimersArePending() throws SQLException {
		fill(1_000);
		int fewRound = leastOfRounds();
		int fewOperations = leastOfOperations();
		int fewFiring = leastOfFirings();
		this.jdbc.execute("truncate whizbang.wh_scheduled, whizbang.wh_messages, whizbang.wh_claims");
		planAnew();
		fill(1_000_000);
		int manyRound = leastOfRounds();
		int manyOperations = leastOfOperations();
		int manyFiring = leastOfFirings();
		logger.info(
				"Buffers with 1 000 and 1 000 000 pending: round {} and {}, round that fires 50 {} and {}, operations {} and {}",
				fewRound, manyRound, fewFiring, manyFiring, fewOperations, manyOperations);
		assertThat(manyRound).as("round").isLessThanOrEqualTo(fewRound + 15);
		// Each row costs a few levels more in three indexes.
		assertThat(manyFiring).as("round that fires").isLessThanOrEqualTo(fewFiring + 50 * 8);
		assertThat(manyOperations).as("operations").isLessThanOrEqualTo(fewOperations + 60);
	}

}
