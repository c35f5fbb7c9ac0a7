package io.whizbang.perspective;

import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whose session has ended is taken for dead at the time that the rules say, not at the
 * next poll, which comes after an hour here.
 */
@PostgresTest
class TakeoverTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final CoordinatorSettings RULES = new CoordinatorSettings(HOUR, HOUR, Duration.ofSeconds(2), HOUR,
			10_000, null, false, false);

	private static final UUID OTHER = UUID.fromString("00000000-0000-0000-0000-000000000001");

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	TakeoverTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void shardsOfADeadInstanceAreTakenOverBeforeTheNextPoll() throws Exception {
		PerspectiveInstance instance = this.fixture.prepare(RULES,
				(parts) -> parts.with(parts.settings().withPoll(HOUR, HOUR, HOUR).withLease(HOUR.multipliedBy(10))),
				new RecordingPerspective("p"));
		PerspectiveWorker survivor = new PerspectiveWorker(instance.parts,
				new JdbcWorkCoordinator(instance.pool, PerspectiveFixture.SCHEMA, RULES), RULES,
				new InstanceInfo("test", "localhost", 1, Map.of()), Runnable::run, () -> true);
		survivor.start();
		try (Connection session = this.database.unpooledDataSource().getConnection()) {
			Await.until("it holds all", () -> survivor.shards() == 16);
			join(session);
			survivor.look();
			Await.until("half is given back", () -> survivor.shards() == 8);
			this.fixture.jdbc.update("update whizbang.wh_perspective_shards set holder = ?, token = token + 1, "
					+ "lease_expiry = clock_timestamp() + interval '1 hour' where holder is null", OTHER);
			this.fixture.jdbc.update(
					"update whizbang.wh_service_instances set last_heartbeat_at = clock_timestamp() where instance_id = ?",
					OTHER);
			session.close();
			Await.until("the session has ended", () -> this.fixture.count(
					"select count(*) from whizbang.wh_service_instances join pg_stat_activity on pid = backend_pid") == 0);
			// As a poll would: it is too early to take anything, but the session is gone.
			survivor.look();
			Await.until("it has looked", survivor::hasLooked);
			assertThat(survivor.shards()).isEqualTo(8);
			Await.until("it has taken over", () -> survivor.shards() == 16);
		}
		finally {
			survivor.stop();
		}
		assertThat(this.fixture.count("select count(*) from whizbang.wh_service_instances")).isZero();
	}

	/** As if it were another process. */
	private void join(Connection session) {
		Integer pid = new JdbcTemplate(new SingleConnectionDataSource(session, true))
			.queryForObject("select pg_backend_pid()", Integer.class);
		this.fixture.jdbc.update(
				"""
						insert into whizbang.wh_service_instances
						    (instance_id, service_name, host_name, process_id, queues, started_at, last_heartbeat_at, backend_pid)
						values (?, 'other', 'other', 1, '{3}', now(), now(), ?)""",
				OTHER, pid);
		this.fixture.jdbc.update("insert into whizbang.wh_perspective_members values (?, 'p', 1)", OTHER);
	}

}
