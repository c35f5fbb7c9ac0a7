package io.whizbang.coordinator;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.UUID;

import io.whizbang.test.Buffers;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The cost of a claim depends on the batch: never on the backlog, on blocked streams, or
 * on dead rows behind a long transaction. Buffers are counted, not time. Every session
 * makes its plans on the empty table, as the first instance of a new application does.
 */
@PostgresTest
class ClaimPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(ClaimPlanTests.class);

	private static final int BATCH = 100;

	private static final JsonMapper JSON = JsonMapper.shared();

	private final CoordinatorFixture fixture;

	private final UUID instance;

	private final Connection session;

	private final Buffers buffers;

	private @Nullable JsonNode answer;

	private int claimed;

	ClaimPlanTests(PostgresDatabase database) throws SQLException {
		this.fixture = new CoordinatorFixture(database);
		execute("truncate whizbang.wh_messages, whizbang.wh_claims, whizbang.wh_scheduled");
		this.instance = this.fixture.join().id();
		this.session = database.unpooledDataSource().getConnection();
		this.buffers = new Buffers(this.session);
		try (Statement statement = this.session.createStatement()) {
			statement.execute("create temp table answer (state jsonb, seq bigint)");
		}
		for (int i = 0; i < 10; i++) {
			exchange();
		}
	}

	@AfterEach
	void close() throws SQLException {
		this.session.close();
	}

	private void execute(String sql) {
		this.fixture.jdbc().execute(sql);
	}

	/** Stores messages so fast that a million takes seconds. */
	private void fill(int count, int streams) {
		execute("""
				insert into whizbang.wh_outbox
				    (queue, partition_hash, size, message_id, stream_id, topic, message_type, headers, payload)
				select 1, n %% %2$d %% 10000, 2, '00000000-0000-7000-8000-000000000000', md5((n %% %2$d)::text)::uuid, 'test', 'Test', '{}', '{}'
				from generate_series(1, %1$d) n"""
			.formatted(count, streams));
	}

	/**
	 * Completes what the last call claimed, and claims the next batch.
	 * @return how many buffers that took
	 */
	private int exchange() throws SQLException {
		ObjectNode request = (ObjectNode) JSON.readTree(new ExchangeJson(CoordinatorSettings.defaults())
			.write(WorkRequest.upTo(BATCH, (this.answer != null) ? this.answer.get("memory").toString() : null)));
		ObjectNode report = JSON.createObjectNode().put("knows_all", true);
		report.putArray("outcomes");
		ArrayNode claims = report.putArray("claims");
		if (this.answer != null && this.answer.has("claim")) {
			claims.addObject()
				.put("id", this.answer.get("claim").longValue())
				.put("token", this.answer.get("token").stringValue())
				.put("action", "finish");
		}
		int buffers = this.buffers.of("insert into answer select state, seq from "
				+ "whizbang.process_work_batch(1::smallint, '%s', '%s', '%s')".formatted(this.instance, report,
						request));
		try (Statement statement = this.session.createStatement()) {
			ResultSet rows = statement.executeQuery("select max(state::text), count(seq) from answer");
			rows.next();
			this.answer = JSON.readTree(rows.getString(1));
			this.claimed = rows.getInt(2);
			statement.execute("truncate answer");
		}
		return buffers;
	}

	/**
	 * Claims and completes, full batches all the time.
	 * @return the most buffers that a call took, but for one, which may have planned anew
	 * after an analyze by autovacuum
	 */
	private int most(int calls) throws SQLException {
		int[] buffers = new int[calls];
		for (int i = 0; i < calls; i++) {
			buffers[i] = exchange();
			assertThat(this.claimed).isEqualTo(BATCH);
		}
		Arrays.sort(buffers);
		return buffers[calls - 2];
	}

	private void assertWithinBound(String what, int buffers) {
		logger.info("{}: {} buffers", what, buffers);
		// Before 17, every element of an array is looked up from the root of the index.
		int bound = (this.fixture.number("show server_version_num") >= 170_000) ? 500 : 1_500;
		assertThat(buffers).as(what).isLessThanOrEqualTo(bound);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1_000, 100_000, 1_000_000 })
	void costDoesNotDependOnTheBacklog(int waiting) throws SQLException {
		fill(waiting, 20_000);
		int first = exchange();
		assertWithinBound(waiting + " waiting, first call", first);
		assertWithinBound(waiting + " waiting", most(8));
	}

	@Test
	void costDoesNotDependOnMessagesThatAreParkedBehindFailedHeads() throws SQLException {
		fill(1_000, 1_000);
		execute("update whizbang.wh_outbox set status = 1, attempts = 1, scheduled_for = clock_timestamp() + interval '1 hour'");
		fill(100_000, 1_000);
		execute("update whizbang.wh_outbox set status = 2 where status = 0");
		execute("""
				insert into whizbang.wh_outbox
				    (queue, partition_hash, size, message_id, stream_id, topic, message_type, headers, payload)
				select 1, n % 10000, 2, md5(n::text)::uuid, md5('free' || n)::uuid, 'test', 'Test', '{}', '{}'
				from generate_series(1, 2000) n""");
		// The scan that parks a message stands behind it afterwards; here it has to pass
		// them once.
		exchange();
		assertWithinBound("100 000 parked", most(10));
	}

	@Test
	void parkingIsPaidOncePerMessage() throws SQLException {
		fill(1_000, 1_000);
		execute("update whizbang.wh_outbox set status = 1, attempts = 1, scheduled_for = clock_timestamp() + interval '1 hour'");
		fill(20_000, 1_000);
		int calls = 0;
		int buffers = 0;
		do {
			buffers += exchange();
			calls++;
		}
		while (this.answer.get("more").booleanValue());
		logger.info("Parking 20 000: {} calls, {} buffers", calls, buffers);
		assertThat(calls).isLessThanOrEqualTo(6);
		assertThat(this.fixture.number("select count(*) from whizbang.wh_outbox where status = 2")).isEqualTo(20_000);
		assertWithinBound("all parked", exchange());
	}

	@Test
	void costDoesNotGrowWithDeadRowsBehindAnOldTransaction() throws SQLException {
		try (Connection old = this.fixture.database().unpooledDataSource().getConnection();
				Statement statement = old.createStatement()) {
			old.setAutoCommit(false);
			old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			statement.execute("select count(*) from whizbang.wh_outbox");
			fill(30_000, 20_000);
			most(20);
			int early = most(20);
			assertWithinBound("behind an old transaction, early", early);
			most(160);
			int late = most(20);
			assertWithinBound("behind an old transaction, 20 000 messages later", late);
			assertThat(late).as("growth with dead rows").isLessThanOrEqualTo(early + 100);
		}
	}

}
