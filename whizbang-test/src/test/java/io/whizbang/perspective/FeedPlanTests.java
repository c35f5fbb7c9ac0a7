package io.whizbang.perspective;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.test.Buffers;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a page costs does not depend on how many events there are, nor on transactions
 * that stay open. Buffers are counted, not time; plans are made on empty tables.
 * <p>
 * {@code -Dwhizbang.feed.events=1000000} for more than 100 000 of them.
 */
@PostgresTest
class FeedPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(FeedPlanTests.class);

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	private final JdbcFeed feed;

	private final Connection session;

	private final Buffers buffers;

	FeedPlanTests(PostgresDatabase database) throws SQLException {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
		this.feed = new JdbcFeed(new JdbcCalls(database.unpooledDataSource(), PerspectiveFixture.SCHEMA));
		this.fixture.jdbc.execute("vacuum analyze whizbang.wh_events");
		this.fixture.jdbc.execute("vacuum analyze whizbang.wh_perspective_checkpoints");
		this.session = database.unpooledDataSource().getConnection();
		this.buffers = new Buffers(this.session);
		for (int i = 0; i < 10; i++) {
			this.buffers.of(page(Tick.START, new Tick("5:5:", 0, 0, 0), 0));
			this.buffers.of(news(Tick.START));
			this.buffers.of(commit(0, 0));
		}
		this.feed.next(Tick.START);
	}

	@AfterEach
	void close() throws SQLException {
		this.session.close();
		this.fixture.close();
	}

	static Stream<Arguments> costDoesNotGrowWithTheEvents() {
		int many = Integer.getInteger("whizbang.feed.events", 100_000);
		return Stream.of(Arguments.of(1000, false), Arguments.of(many, false), Arguments.of(1000, true),
				Arguments.of(many, true));
	}

	@ParameterizedTest
	@MethodSource
	void costDoesNotGrowWithTheEvents(int count, boolean openTransaction) throws SQLException {
		try (Connection old = this.database.unpooledDataSource().getConnection();
				Statement statement = old.createStatement()) {
			old.setAutoCommit(false);
			if (openTransaction) {
				statement.execute("select pg_current_xact_id()");
			}
			fill(0, count);
			Tick start = this.feed.next(Tick.START);
			assertThat(start).isNotNull();
			assertWithin(1800, "first page of " + count, this.buffers.steadily(page(Tick.START, start, 0)));
			assertWithin(1800, "page in the middle",
					this.buffers.steadily(page(Tick.START, start, start.high() - count / 2)));
			fill(count, 100);
			// All of it may be of one transaction, which must not tempt the planner.
			this.fixture.jdbc.execute("analyze whizbang.wh_events");
			Tick next = this.feed.next(start);
			assertThat(next).isNotNull();
			assertWithin(1800, "live page of 100", this.buffers.steadily(page(start, next, 0)));
			assertThat(rows(page(start, next, 0))).isEqualTo(100);
			assertWithin(40, "a look when nothing is new", this.buffers.steadily(news(next)));
			assertWithin(60, "a page when nothing is new", this.buffers.steadily(page(next, next, 0)));
			this.buffers.of(commit(0, 0));
			assertWithin(2500, "100 checkpoints that move", this.buffers.of(commit(0, 100)));
			assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_checkpoints where version = 1"))
				.isEqualTo(100);
			old.rollback();
		}
	}

	@Test
	void whatAnOpenTransactionHasWrittenIsNotReadAgainAndAgain() throws SQLException {
		try (Connection open = this.database.unpooledDataSource().getConnection();
				Statement statement = open.createStatement()) {
			open.setAutoCommit(false);
			fill(0, 1000);
			statement.execute("""
					insert into whizbang.wh_events
					    (version, recorded_at, stream_id, event_id, type_version, event_type, metadata, payload)
					select n, now(), md5('import')::uuid, md5(n::text)::uuid, 1, 'noted', '{}', '{"number":1}'
					from generate_series(1, 20000) n""");
			Tick start = this.feed.next(Tick.START);
			assertThat(start).isNotNull();
			assertWithin(40, "a look while a transaction has written 20 000 events",
					this.buffers.steadily(news(start)));
			fill(1000, 100);
			Tick next = this.feed.next(start);
			assertThat(next).isNotNull();
			assertWithin(1800, "live page of 100", this.buffers.steadily(page(start, next, 0)));
			assertWithin(60, "a page when nothing is new", this.buffers.steadily(page(next, next, 0)));
			open.commit();
			assertThat(this.feed.next(next)).isNotNull().satisfies((late) -> {
				assertThat(rows(page(next, late, 0))).as("a page of what is late").isEqualTo(100);
			});
		}
	}

	/** Every event of a stream of its own, which is the worst case for checkpoints. */
	private void fill(int from, int count) {
		this.fixture.jdbc.execute("""
				insert into whizbang.wh_events
				    (version, recorded_at, stream_id, event_id, type_version, event_type, metadata, payload)
				select 1, now(), md5(n::text)::uuid, md5(n::text)::uuid, 1, 'noted', '{}', '{"number":1}'
				from generate_series(%d, %d) n""".formatted(from + 1, from + count));
		this.fixture.jdbc.execute("""
				insert into whizbang.wh_perspective_checkpoints (run_id, stream_id, version, created_at, updated_at)
				select 1, md5(n::text)::uuid, 0, now(), now() from generate_series(%d, %d) n""".formatted(from + 1,
				from + count));
		this.fixture.jdbc.execute("""
				insert into whizbang.wh_streams select md5(n::text)::uuid, null, 1, now(), now()
				from generate_series(%d, %d) n""".formatted(from + 1, from + count));
	}

	private static String page(Tick base, Tick target, long position) {
		return """
				select * from whizbang.read_perspective_page(1, array(select generate_series(0, 15)), 16, '%s', %d, %d, %d, '%s',
				    %d, %d, %d, '{}', 100, 2000, 4194304)"""
			.formatted(base.snapshot(), base.low(), base.high(), base.restored(), target.snapshot(), target.high(),
					target.restored(), position);
	}

	/** Moves checkpoints, and no shards. */
	private static String commit(int from, int count) {
		String streams = "array(select md5(n::text)::uuid from generate_series(%d, %d) n)".formatted(from + 1,
				from + count);
		return """
				select * from whizbang.commit_perspective_page(1, null, '{}', '{}', '{}', 1, '1:1:', 0, 0, 0, null, null, null, null,
				    0, %1$s, array_fill(0::bigint, array[%2$d]), array_fill(1::bigint, array[%2$d]),
				    array_fill(1::bigint, array[%2$d]), %1$s)"""
			.formatted(streams, count);
	}

	private static String news(Tick base) {
		return "select whizbang.feed_has_news('%s'::pg_snapshot, %d, %d)".formatted(base.snapshot(), base.low(),
				base.restored());
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

	private static void assertWithin(int bound, String what, int buffers) {
		logger.info("{}: {} buffers", what, buffers);
		assertThat(buffers).as(what).isLessThanOrEqualTo(bound);
	}

}
