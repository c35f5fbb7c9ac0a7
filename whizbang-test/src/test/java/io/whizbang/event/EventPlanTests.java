package io.whizbang.event;

import java.sql.Connection;
import java.sql.SQLException;

import io.whizbang.test.Buffers;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an append or a page costs does not depend on how many events there are. Buffers
 * are counted, not time. Every session makes its plans on empty tables, as the first
 * instance of a new application does.
 */
@PostgresTest
class EventPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(EventPlanTests.class);

	private final EventFixture fixture;

	private final Connection session;

	private final Buffers buffers;

	EventPlanTests(PostgresDatabase database) throws SQLException {
		this.fixture = new EventFixture(database, database.unpooledDataSource());
		this.fixture.committed().execute("vacuum analyze whizbang.wh_streams");
		this.fixture.committed().execute("vacuum analyze whizbang.wh_events");
		this.session = database.unpooledDataSource().getConnection();
		this.buffers = new Buffers(this.session);
		this.session.setAutoCommit(false);
		for (int i = 0; i < 10; i++) {
			this.buffers.of(append(1, "null"));
			this.buffers.of(appendToSeveral(1));
			this.buffers.of(readStream(1, 1, false));
			this.buffers.of(readStream(1, 1, true));
			this.buffers.of(readAll(0));
		}
		this.session.rollback();
	}

	@AfterEach
	void close() throws SQLException {
		this.session.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1_000, 200_000 })
	void costDoesNotGrowWithTheEvents(int count) throws SQLException {
		fill(count);
		int middle = count / 2;
		// A few calls before, for what is read once in a session.
		this.buffers.of(append(7, "null"));
		this.buffers.of(readStream(1, 1, false));
		assertWithin(120, "append of 10 to a stream of " + count, this.buffers.steadily(append(1, "null")));
		assertWithin(120, "append of 10 at an exact version", this.buffers
			.steadily(append(2, "(select version from " + "whizbang.wh_streams where stream_id = md5('2')::uuid)")));
		assertWithin(150, "append to a new stream",
				Math.min(this.buffers.of(append(1_000_000, "0")), this.buffers.of(append(1_000_001, "0"))));
		assertWithin(30, "append that conflicts", this.buffers.steadily(append(1, "0")));
		assertWithin(150, "append to three streams", this.buffers.steadily(appendToSeveral(5)));
		assertWithin(150, "page forwards", this.buffers.steadily(readStream(1, 1, false)));
		assertWithin(150, "page backwards", this.buffers.steadily(readStream(1, count, true)));
		assertWithin(450, "page by position", this.buffers.steadily(readAll(middle)));
	}

	/** One stream has half of the events, the others have ten each. */
	private void fill(int count) {
		this.fixture.committed().execute("""
				insert into whizbang.wh_events
				    (version, recorded_at, stream_id, event_id, type_version, event_type, metadata, payload)
				select case when n %% 2 = 0 then n / 2 else (n / 2) / (%1$d / 20) + 1 end, now(),
				    md5((case when n %% 2 = 0 then 1 else 2 + (n / 2) %% (%1$d / 20) end)::text)::uuid,
				    '00000000-0000-7000-8000-000000000000', 1, 'order-paid', '{}', '{"amount":1}'
				from generate_series(2, %1$d) n""".formatted(count));
		this.fixture.committed()
			.execute(
					"""
							insert into whizbang.wh_streams
							select stream_id, stream_id::text, max(version), now(), now() from whizbang.wh_events group by stream_id""");
	}

	private static String append(int stream, String expected) {
		return """
				select * from whizbang.append_events(array[md5('%d')::uuid], array['%d'], array[%s]::bigint[], array[10],
				    array_fill(1, array[10]), array(select generate_series(1, 10)), array_fill(gen_random_uuid(), array[10]),
				    array_fill('order-paid'::text, array[10]), array_fill(1, array[10]), array_fill('{}'::jsonb, array[10]),
				    array_fill('{"amount":1}'::text, array[10]))"""
			.formatted(stream, stream, expected);
	}

	private static String appendToSeveral(int stream) {
		return """
				select * from whizbang.append_events(array[md5('%d')::uuid, md5('%d')::uuid, md5('%d')::uuid], array['a', 'b', 'c'],
				    array[null, null, null]::bigint[], array[1, 1, 1], array[1, 2, 3], array[1, 1, 1],
				    array_fill(gen_random_uuid(), array[3]), array_fill('order-paid'::text, array[3]), array_fill(1, array[3]),
				    array_fill('{}'::jsonb, array[3]), array_fill('{"amount":1}'::text, array[3]))"""
			.formatted(stream, stream + 1, stream + 2);
	}

	private static String readStream(int stream, long from, boolean backwards) {
		return "select * from whizbang.read_stream(md5('%d')::uuid, %d, %s, 100, 4194304)".formatted(stream, from,
				backwards);
	}

	private static String readAll(long after) {
		return "select * from whizbang.read_events((select coalesce(min(position), 0) + %d from whizbang.wh_events), 100, 4194304)"
			.formatted(after);
	}

	private static void assertWithin(int bound, String what, int buffers) {
		logger.info("{}: {} buffers", what, buffers);
		assertThat(buffers).as(what).isLessThanOrEqualTo(bound);
	}

}
