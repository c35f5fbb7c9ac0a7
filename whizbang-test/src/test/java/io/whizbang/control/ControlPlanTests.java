package io.whizbang.control;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import io.whizbang.coordinator.QueueStatistics;
import io.whizbang.queue.Queues;
import io.whizbang.test.Buffers;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators see costs no more with a long queue than with one of as many messages as
 * are counted (G9). Buffers are counted, not time; plans are made while the tables are
 * empty.
 */
@PostgresTest
class ControlPlanTests {

	private static final Logger logger = LoggerFactory.getLogger(ControlPlanTests.class);

	/** The limits are those of production. */
	private static final Map<String, String> QUESTIONS = Map.of("queue_statistics",
			"select * from whizbang.queue_statistics(1::smallint, %d)".formatted(QueueStatistics.LIMIT),
			"list_blocked_streams",
			"select * from whizbang.list_blocked_streams(1::smallint, 'epoch', 0, 50, %d)"
				.formatted(BlockedStream.MAX_BEHIND),
			"list_instances", "select * from whizbang.list_instances(1000)", "list_queues",
			"select * from whizbang.list_queues(array(select name from whizbang.queue_names(null, 50)), %d)"
				.formatted(Queues.MAX_COUNT),
			"queue_totals", "select * from whizbang.queue_totals(%d)".formatted(Queues.MAX_COUNT), "list_jobs",
			"select * from whizbang.list_jobs(null, null, 1000)", "perspective_status",
			"select * from whizbang.perspective_status(null)");

	private static final String ANALYZE = """
			analyze whizbang.wh_messages, whizbang.wh_dead_letters, whizbang.wh_claims, whizbang.wh_queue_messages,
			    whizbang.wh_queue_keys, whizbang.wh_perspective_checkpoints, whizbang.wh_jobs, whizbang.wh_job_runs""";

	private final ControlFixture fixture;

	private final UUID instance;

	private final Connection session;

	private final Buffers buffers;

	ControlPlanTests(PostgresDatabase database) throws SQLException {
		this.fixture = new ControlFixture(database);
		this.instance = this.fixture.join("a", 1, Queue.OUTBOX);
		this.session = database.unpooledDataSource().getConnection();
		this.buffers = new Buffers(this.session);
		this.fixture.jdbc.execute(
				"""
						truncate whizbang.wh_queue_messages, whizbang.wh_queue_keys, whizbang.wh_perspectives, whizbang.wh_perspective_shards,
						    whizbang.wh_perspective_checkpoints, whizbang.wh_jobs, whizbang.wh_job_runs, whizbang.wh_events;""");
		this.fixture.jdbc.execute(ANALYZE);
		for (int i = 0; i < 6; i++) {
			measure();
		}
	}

	@AfterEach
	void close() throws SQLException {
		this.session.close();
	}

	private Map<String, Integer> measure() throws SQLException {
		Map<String, Integer> buffers = new TreeMap<>();
		for (Map.Entry<String, String> question : QUESTIONS.entrySet()) {
			buffers.put(question.getKey(), this.buffers.steadily(question.getValue()));
		}
		return buffers;
	}

	private void ready(int from, int to) {
		this.fixture.jdbc
			.update("""
					insert into whizbang.wh_messages (queue, partition_hash, size, message_id, topic, message_type, headers, payload)
					select 1, n % 10000, 2, gen_random_uuid(), 'test', 'Test', '{}', '{}' from generate_series(?, ?) n""",
					from, to);
	}

	/** Letters of another queue, which are in the way of those that are asked for. */
	private void dead(int from, int to) {
		this.fixture.jdbc
			.update("""
					insert into whizbang.wh_dead_letters (queue, reason, attempts, died_at, created_at, seq, message_id, topic,
					    message_type, headers, payload)
					select 2, 'test', 1, now(), now(), n, gen_random_uuid(), 'test', 'Test', '{}', '{}' from generate_series(?, ?) n""",
					from, to);
	}

	/** Messages of a work queue, some of each key. */
	private void queued(int fromKey, int toKey, int messages) {
		this.fixture.jdbc.update(
				"""
						with keys as (
						    insert into whizbang.wh_queue_keys (queue, key_id, partition_hash, place, due_at, routing_key)
						    select 'pictures', md5(n::text)::uuid, n, nextval('whizbang.wh_message_seq'), now(), n::text
						    from generate_series(?::int, ?::int) n
						    returning key_id
						)
						insert into whizbang.wh_queue_messages (queue, key_id, seq, size, created_at, message_id, message_type, headers, payload)
						select 'pictures', k.key_id, nextval('whizbang.wh_message_seq'), 2, now(), gen_random_uuid(), 't', '{}', '{}'
						from generate_series(1, ?), keys k""",
				fromKey, toKey, messages);
	}

	/** Runs of a job that are open, and those of another that have ended. */
	private void runs(int from, int to) {
		this.fixture.jdbc
			.update("""
					insert into whizbang.wh_jobs (name, handler, zone, every_ms, enabled, misfire, catch_up_max, overlap, max_attempts,
					    first_delay_ms, multiplier, max_delay_ms, jitter, defined_by, created_at, updated_at)
					select j, j, 'UTC', 60000, true, 0, 1, true, 3, 1000, 2, 60000, 0, 'test', now(), now()
					from unnest(array['nightly', 'often']) j
					on conflict do nothing""");
		this.fixture.jdbc.update(
				"""
						insert into whizbang.wh_job_runs (job_name, scheduled_at, triggered, status, due_at, ended_at)
						select case n % 2 when 0 then 'nightly' else 'often' end, now() + n * interval '1 s', false,
						    case n % 2 when 0 then 0 else 4 end, now(), case n % 2 when 0 then null else now() + n * interval '1 s' end
						from generate_series(?::int, ?::int) n""",
				from, to);
	}

	/** Streams of a perspective, of which one in ten has failed. */
	private void failing(int from, int to) {
		this.fixture.jdbc.update("""
				insert into whizbang.wh_perspectives (name, version, run, status, shards, started_at)
				select 'accounts', 1, 1, 1, 1, now() where not exists (select from whizbang.wh_perspectives)""");
		this.fixture.jdbc.update(
				"""
						insert into whizbang.wh_perspective_checkpoints (run_id, stream_id, version, status, next_attempt_at, created_at, updated_at)
						select p.run_id, md5('s' || n)::uuid, 1, case when n % 10 = 0 then 1 else 0 end,
						    case when n % 10 = 0 then now() end, now(), now()
						from whizbang.wh_perspectives p, generate_series(?::int, ?::int) n""",
				from, to);
	}

	@Test
	void costsDoNotDependOnHowManyMessagesWait() throws SQLException {
		ready(1, 10_000);
		this.fixture.block(1, 50, BlockedStream.MAX_BEHIND);
		this.fixture.block(51, 10_050, 3);
		dead(1, 10_000);
		queued(1, 10_000, 1);
		runs(1, 20_000);
		failing(1, 100_000);
		Map<String, Integer> few = measure();
		ready(10_001, 1_000_000);
		this.fixture.jdbc.execute("delete from whizbang.wh_messages where status > 0");
		this.fixture.block(1, 50, 4 * BlockedStream.MAX_BEHIND);
		this.fixture.block(51, 50_000, 3);
		dead(10_001, 100_000);
		queued(10_001, 60_000, 20);
		runs(20_001, 100_000);
		failing(100_001, 300_000);
		assertFlat(few, measure());
		// Plans that are made now know how much there is.
		this.fixture.jdbc.execute(ANALYZE);
		assertFlat(few, measure());
	}

	private static void assertFlat(Map<String, Integer> few, Map<String, Integer> many) {
		logger.info("Buffers with 10 000 and with 1 000 000 waiting: {} and {}", few, many);
		few.forEach((question, buffers) -> assertThat(many.get(question))
			.as("buffers of %s with a million messages, which were %d with ten thousand", question, buffers)
			.isLessThan(2 * buffers + 200));
	}

	@Test
	void costsDoNotDependOnClaimsThatAreDeadBehindAnOldTransaction() throws SQLException {
		this.fixture.join("b", 2, Queue.PERSPECTIVES);
		try (Connection old = this.fixture.openTransaction()) {
			assertThat(old.isClosed()).isFalse();
			this.fixture.hold(this.instance, List.of(1L));
			Map<String, Integer> few = measure();
			this.fixture.jdbc.update(
					"""
							insert into whizbang.wh_claims (claim_id, queue, instance_id, token, claimed_at, lease_expiry, has_heads,
							    max_seq, seqs, partitions)
							select nextval('whizbang.wh_claim_seq'), 1, ?, gen_random_uuid(), now(), now() + interval '5 min', true, 0, '{1}', '{}'
							from generate_series(1, 20000)""",
					this.instance);
			this.fixture.jdbc.execute("delete from whizbang.wh_claims");
			// What the sweep does now and then.
			this.fixture.jdbc.execute(
					"update whizbang.wh_epoch set claim_low = whizbang.lowest_claim(1::smallint, claim_low) where queue = 1");
			this.fixture.hold(this.instance, List.of(1L));
			Map<String, Integer> many = measure();
			for (String question : List.of("queue_statistics", "list_instances")) {
				assertThat(many.get(question)).as("buffers of %s, which were %d before", question, few.get(question))
					.isLessThan(2 * few.get(question) + 100);
			}
			assertThat(this.fixture.jdbc.queryForObject("select claims from whizbang.queue_statistics(1::smallint, 10)",
					Integer.class))
				.isOne();
			assertThat(this.fixture.control.registrations()).filteredOn((one) -> one.id().equals(this.instance))
				.singleElement()
				.extracting(Registration::claims)
				.isEqualTo(1);
		}
	}

}
