package io.whizbang.job;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
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
 * What a round costs does not depend on how many runs are over, and hardly on how many
 * that nobody can clear away yet. Buffers are counted, not time, in a session that made
 * its plans on empty tables.
 */
@PostgresTest
class JobPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(JobPlanTests.class);

	/** So many ended behind an old transaction. */
	private static final int RUNS = 3_000;

	private static final List<String> LOOKS = List.of("recover_", "due_", "claim_", "next_", "see_", "list_jobs(null");

	private static final List<String> ROUND = List.of("recover_job_runs(100)", "due_jobs('{}', 100)",
			"claim_job_runs('00000000-0000-7000-8000-000000000000', 'here', '{h}', 8, 60000)",
			"next_job_ms('{h}', null, '{job-1}')", "renew_job_runs('{1,2,3}', '{1,1,1}', 60000)",
			"end_job_run(1, 1, 3::smallint, 0, null)", "list_job_runs('job-1', null, 20)",
			"trigger_job('job-1', null, 'here')", "list_jobs(null, null, 100)", "list_jobs('job-1', null, 1)",
			"see_job_handlers('{h}')", "purge_job_runs(2592000000, 10, 20)",
			"fire_job('job-1', 1, (select next_fire_at from whizbang.wh_jobs where name = 'job-1'), "
					+ "now() + interval '1 h', array[now()], false, null, null, 'here')");

	private final PostgresDatabase database;

	private JobFixture fixture;

	private Connection session;

	private Buffers buffers;

	JobPlanTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() throws SQLException {
		this.fixture = new JobFixture(this.database);
		this.session = this.database.unpooledDataSource().getConnection();
		this.buffers = new Buffers(this.session);
		this.session.setAutoCommit(false);
		this.fixture.jdbc.execute("analyze whizbang.wh_job_runs");
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
	void costDoesNotGrowWithTheHistory() throws SQLException {
		defineJobs();
		fill(1, 1_000);
		Map<String, Integer> few = round();
		this.session.rollback();
		fill(1_001, 200_000);
		this.fixture.jdbc.execute("analyze whizbang.wh_job_runs");
		Map<String, Integer> many = round();
		this.session.rollback();
		// A tree over so many rows has a level more.
		few.forEach((call, buffers) -> assertThat(many.get(call)).as("buffers of %s, which were %d", call, buffers)
			.isLessThan(2 * buffers + 50));
		assertThat(many.values()).allSatisfy((buffers) -> assertThat(buffers).isLessThan(2_000));
	}

	/**
	 * Each run leaves entries behind an old transaction that nobody can clear away, and
	 * that a look at what is due passes, a page full of them at a time: a limit that is
	 * known. Nothing else costs more.
	 */
	@Test
	void costGrowsByAQuarterOfABufferForEachRunThatEndedBehindAnOldTransactionAndOnlyThatOfLooks() throws SQLException {
		defineJobs();
		fill(1, 1_000);
		try (Connection old = this.database.unpooledDataSource().getConnection();
				Statement statement = old.createStatement()) {
			old.setAutoCommit(false);
			old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.execute("select count(*) from whizbang.wh_job_runs");
			Map<String, Integer> few = round();
			this.session.rollback();
			fireEndlessly(RUNS);
			Map<String, Integer> many = round();
			this.session.rollback();
			logger.info("Behind an old transaction: {}; {} runs later: {}", few, RUNS, many);
			few.forEach((call, buffers) -> assertThat(many.get(call)).as("buffers of %s, which were %d", call, buffers)
				.isLessThan(2 * buffers + 50 + (LOOKS.stream().anyMatch(call::startsWith) ? RUNS / 4 : 0)));
		}
	}

	/** Fires and runs a job again and again. */
	private void fireEndlessly(int runs) {
		this.fixture.jdbc.execute(
				"""
						do $$
						begin
						    for i in 1..%d loop
						        update whizbang.wh_jobs set next_fire_at = clock_timestamp() - interval '1 h' + i * interval '1 ms', fired_at = now()
						        where name = 'job-5';
						        insert into whizbang.wh_job_runs (job_name, scheduled_at, triggered, status, due_at)
						        values ('job-5', clock_timestamp() + i * interval '1 ms', false, 0, now());
						        update whizbang.wh_job_runs set status = 1, lease_expiry = now() where job_name = 'job-5' and status = 0;
						        update whizbang.wh_job_runs set status = 3, lease_expiry = null, started_at = now(), ended_at = clock_timestamp()
						        where job_name = 'job-5' and status = 1;
						        if i %% 100 = 0 then commit; end if;
						    end loop;
						    update whizbang.wh_jobs set next_fire_at = now() + interval '1 h' where name = 'job-5';
						end $$"""
					.formatted(runs));
	}

	private void defineJobs() {
		this.fixture.jdbc.execute(
				"""
						insert into whizbang.wh_jobs (name, handler, cron, zone, enabled, misfire, catch_up_max, overlap, max_attempts,
						    first_delay_ms, multiplier, max_delay_ms, jitter, next_fire_at, defined_by, created_at, updated_at)
						select 'job-' || n, 'h', '@daily', 'UTC', true, 0, 1, n % 2 = 0, 3, 1, 1, 1, 0,
						    now() + case when n <= 3 then interval '-1 s' else interval '1 h' end, 'app', now(), now()
						from generate_series(1, 50) n;
						insert into whizbang.wh_job_runs (job_name, scheduled_at, triggered, status, due_at, token, lease_expiry)
						select 'job-' || n, now() - interval '1 s', true, case when n % 3 = 0 then 0 else 1 end, now(), 1, now() + interval '1 h'
						from generate_series(11, 30) n""");
	}

	private void fill(int from, int to) {
		this.fixture.jdbc
			.update("""
					insert into whizbang.wh_job_runs (job_name, scheduled_at, triggered, status, attempts, due_at, started_at, ended_at)
					select 'job-' || 1 + n % 50, t, false, 3, 1, t, t, t
					from generate_series(?::int, ?::int) n cross join lateral (select now() - n * interval '1 second' as t) x""",
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
