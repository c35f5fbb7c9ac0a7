package io.whizbang.join;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
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
 * What counting costs depends on what is counted, and neither on how many joins and
 * members there are nor on what waits to be counted or what was counted behind an old
 * transaction (G9). Buffers are counted, not time, in a session that made its plans on
 * empty tables.
 */
@PostgresTest
class JoinPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(JoinPlanTests.class);

	private static final String JOIN = "md5('1')::uuid";

	private static final List<String> ROUND = List.of("fold_joins(0, null, '{}', 100)",
			"attach_members(" + JOIN + ", '{new-1,new-2,m1}')", "report_member(" + JOIN + ", 'm7', false, null)",
			"find_join(" + JOIN + ", null)", "find_join(null, 'key-7')", "list_joins(" + JOIN + ", 20)",
			"list_members(" + JOIN + ", 'm5', 20)", "purge_joins(86400000, 100)");

	private final PostgresDatabase database;

	private JoinFixture fixture;

	private Connection session;

	private Buffers buffers;

	private long from;

	JoinPlanTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() throws SQLException {
		this.fixture = new JoinFixture(this.database);
		this.fixture.jdbc.execute("analyze whizbang.wh_joins, whizbang.wh_join_members, whizbang.wh_join_reports");
		this.session = this.database.unpooledDataSource().getConnection();
		this.buffers = new Buffers(this.session);
		this.session.setAutoCommit(false);
		for (int i = 0; i < 8; i++) {
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
	void costDoesNotGrowWithWhatThereIs() throws SQLException {
		fill(1, 100);
		Map<String, Integer> few = round();
		this.session.rollback();
		fill(101, 10_000);
		Map<String, Integer> many = round();
		this.session.rollback();
		few.forEach((call, buffers) -> assertThat(many.get(call)).as("buffers of %s, which were %d", call, buffers)
			.isLessThan(2 * buffers + 100));
	}

	@Test
	void costIsFlatBehindAnOldTransaction() throws SQLException {
		try (Connection old = this.database.unpooledDataSource().getConnection();
				Statement statement = old.createStatement()) {
			old.setAutoCommit(false);
			old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.execute("select count(*) from whizbang.wh_join_reports");
			fill(1, 2_000);
			// All are closed long before their deadlines.
			this.fixture.jdbc.update("update whizbang.wh_joins set attached = 10, expected = 10");
			// So many that have been counted are passed over again, for late commits.
			fold(30);
			int early = fold(10);
			int idle = idle();
			fold(140);
			int late = fold(10);
			logger.info(
					"Behind an old transaction: {} buffers, 15 000 reports later {}; with nothing to count {} and {}",
					early, late, idle, idle());
			assertThat(late).as("buffers of a look, which were %d", early).isLessThan(early + 200);
			assertThat(idle()).as("buffers of a look that finds nothing, which were %d", idle).isLessThan(idle + 30);
		}
	}

	@Test
	void aJoinThatIsCountedAgainAndAgainBehindAnOldTransactionCostsLittleMore() throws SQLException {
		try (Connection old = this.database.unpooledDataSource().getConnection();
				Statement statement = old.createStatement()) {
			old.setAutoCommit(false);
			old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.execute("select count(*) from whizbang.wh_joins");
			fillOne(20_000);
			fold(30);
			int early = fold(10);
			fold(140);
			int late = fold(10);
			logger.info("One join behind an old transaction: {} buffers, 150 looks later {}", early, late);
			assertThat(late).as("buffers of a look, which were %d", early).isLessThan(early + 200);
		}
	}

	@Test
	void aDeadlineThatHasComeReadsNoMoreBehindAnOldTransaction() throws SQLException {
		try (Connection old = this.database.unpooledDataSource().getConnection();
				Statement statement = old.createStatement()) {
			old.setAutoCommit(false);
			old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.execute("select count(*) from whizbang.wh_join_reports");
			fill(1, 2_000);
			this.fixture.jdbc.update("update whizbang.wh_joins set attached = 10, expected = 10");
			fold(30);
			int early = due();
			this.fixture.jdbc.update("""
					insert into whizbang.wh_join_reports (join_id, member, failed, reported_at)
					select md5('gone')::uuid, 'm' || n, false, now() from generate_series(1, 100000) n""");
			this.fixture.jdbc.update("delete from whizbang.wh_join_reports where join_id = md5('gone')::uuid");
			int late = due();
			logger.info("With a deadline that has come: {} buffers, 100 000 reports later {}", early, late);
			assertThat(late).as("buffers of a look, which were %d", early).isLessThan(early + 200);
		}
	}

	/** A look that finds a join whose deadline has come. */
	private int due() throws SQLException {
		try (Statement statement = this.session.createStatement()) {
			statement.execute(
					"""
							insert into whizbang.wh_joins (join_id, fail_fast, attached, headers, metadata, started_at, deadline)
							values (md5('due')::uuid, false, 0, '{}', '{}', now(), now() - interval '1 second')""");
			int buffers = this.buffers.steadilyUndone(
					"select whizbang.fold_joins(" + (1L << 40) + ", now() - interval '10 seconds', '{}', 100)");
			this.session.rollback();
			return buffers;
		}
	}

	/** Counts as a worker does, a hundred reports at a time. */
	private int fold(int looks) throws SQLException {
		int[] buffers = new int[looks];
		try (Statement statement = this.session.createStatement()) {
			statement.execute("create temp table if not exists answer (fold jsonb)");
			for (int i = 0; i < looks; i++) {
				buffers[i] = this.buffers
					.of("insert into answer select whizbang.fold_joins(" + this.from + ", now(), '{}', 100)");
				ResultSet rows = statement
					.executeQuery("select (fold ->> 'from')::bigint, (fold ->> 'counted')::int from answer");
				rows.next();
				this.from = rows.getLong(1);
				assertThat(rows.getInt(2)).isEqualTo(100);
				statement.execute("truncate answer");
				this.session.commit();
			}
		}
		Arrays.sort(buffers);
		// One may have planned anew, after an analyze by autovacuum.
		return buffers[looks - 2];
	}

	/** A look that finds nothing to count, but wants to know of the next deadline. */
	private int idle() throws SQLException {
		int buffers = this.buffers.steadilyUndone("select whizbang.fold_joins(" + (1L << 40) + ", now(), '{}', 100)");
		this.session.rollback();
		return buffers;
	}

	/** A join with many members, all of which have reported. */
	private void fillOne(int members) {
		this.fixture.jdbc.update("""
				insert into whizbang.wh_joins (join_id, fail_fast, attached, headers, metadata, started_at)
				values (md5('1')::uuid, false, ?, '{}', '{}', now())""", members);
		this.fixture.jdbc.update("""
				insert into whizbang.wh_join_members (join_id, member, attached_at)
				select md5('1')::uuid, 'm' || m, now() from generate_series(1, ?::int) m""", members);
		this.fixture.jdbc.update("""
				insert into whizbang.wh_join_reports (join_id, member, failed, reported_at)
				select md5('1')::uuid, 'm' || m, false, now() from generate_series(1, ?::int) m""", members);
	}

	@Test
	void messagesThatAreNoMembersTouchNothingOfJoins() throws SQLException {
		JoinInstance app = this.fixture.instance();
		app.outbox.enqueueAll(JoinFixture.messages("work", 20));
		try (Statement statement = this.session.createStatement()) {
			// Whoever as much as looks at one of these would wait in vain.
			statement.execute(
					"lock table whizbang.wh_joins, whizbang.wh_join_members, whizbang.wh_join_reports in access exclusive mode");
			assertThat(app.deliveries.runUntilIdle()).hasSize(20);
			this.session.rollback();
		}
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox")).isZero();
	}

	/** Joins with twenty members each, half of which have reported. */
	private void fill(int from, int to) {
		this.fixture.jdbc.update(
				"""
						insert into whizbang.wh_joins (join_id, join_key, fail_fast, attached, headers, metadata, started_at, deadline)
						select md5(n::text)::uuid, 'key-' || n, false, 20, '{}', '{}', now(), now() + interval '1 day'
						from generate_series(?::int, ?::int) n""",
				from, to);
		this.fixture.jdbc
			.update("""
					insert into whizbang.wh_join_members (join_id, member, attached_at)
					select md5(n::text)::uuid, 'm' || m, now() from generate_series(?::int, ?::int) n, generate_series(1, 20) m""",
					from, to);
		this.fixture.jdbc.update(
				"""
						insert into whizbang.wh_join_reports (join_id, member, failed, reported_at)
						select md5(n::text)::uuid, 'm' || m, false, now() from generate_series(?::int, ?::int) n, generate_series(1, 10) m
						order by n, m""",
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
