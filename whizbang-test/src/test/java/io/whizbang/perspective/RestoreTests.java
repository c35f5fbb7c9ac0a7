package io.whizbang.perspective;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.util.List;

import io.whizbang.event.ExpectedVersion;
import io.whizbang.perspective.PerspectiveFixture.Noted;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A dump that is restored on another server brings events and snapshots, but that
 * server's transaction ids are others: higher ones, or lower ones.
 */
@PostgresTest
class RestoreTests {

	private static final List<String> TABLES = List.of("whizbang.wh_streams", "whizbang.wh_events",
			"whizbang.wh_perspectives", "whizbang.wh_perspective_shards", "whizbang.wh_perspective_checkpoints",
			"whizbang.wh_perspective_mappings", "whizbang.wh_perspective_world", "applied");

	private final PostgresDatabase database;

	RestoreTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void nothingIsLostOrRepeatedWhereIdsAreLower() throws Exception {
		burnIds(this.database, 3000);
		try (EmbeddedPostgresServer server = EmbeddedPostgresServer.create();
				PostgresDatabase other = server.server().createDatabase("restored")) {
			moves(this.database, other);
		}
	}

	@Test
	void nothingIsLostOrRepeatedWhereIdsAreHigher() throws Exception {
		try (EmbeddedPostgresServer server = EmbeddedPostgresServer.create();
				PostgresDatabase other = server.server().createDatabase("origin")) {
			burnIds(this.database, 5000);
			moves(other, this.database);
		}
	}

	@Test
	void aPlainUserMayTellServersApart() {
		try (PerspectiveFixture fixture = new PerspectiveFixture(this.database)) {
			// A role belongs to the server, which others may use too.
			String role = "plain_reader_of_" + this.database.name();
			fixture.jdbc.execute("create role " + role);
			try {
				fixture.jdbc.execute("grant usage on schema whizbang to " + role);
				Long system = new JdbcTemplate(this.database.unpooledDataSource()).execute((Connection connection) -> {
					connection.createStatement().execute("set role " + role);
					var rows = connection.createStatement().executeQuery("select whizbang.system_identity()");
					rows.next();
					return (Long) rows.getObject(1);
				});
				assertThat(system).isNotNull();
			}
			finally {
				fixture.jdbc.execute("drop owned by " + role);
				fixture.jdbc.execute("drop role " + role);
			}
		}
	}

	/**
	 * Works in one database, moves to another in the middle of things, and goes on there.
	 */
	private void moves(PostgresDatabase from, PostgresDatabase to) throws Exception {
		try (PerspectiveFixture origin = new PerspectiveFixture(from);
				PerspectiveFixture restored = new PerspectiveFixture(to)) {
			JdbcTransactionManager manager = new JdbcTransactionManager(from.dataSource());
			PerspectiveInstance instance = origin.start(PerspectiveFixture.SETTINGS.withPages(7, 100),
					new RecordingPerspective("p"));
			TransactionStatus late = manager.getTransaction(new DefaultTransactionDefinition());
			origin.store.append("late", ExpectedVersion.any(), new Noted(1), new Noted(2));
			Thread other = new Thread(() -> {
				for (int i = 0; i < 10; i++) {
					origin.append("s-" + i, 3);
				}
				origin.awaitApplied("p", 30);
				instance.close();
			});
			other.start();
			other.join();
			manager.commit(late);
			for (int i = 0; i < 10; i++) {
				origin.append("s-" + i, 2);
			}
			copy(from, to);
			// The application goes on before the worker does.
			for (int i = 0; i < 10; i++) {
				restored.append("s-" + i, 2);
			}
			restored.append("late", 1);
			PerspectiveInstance second = restored.start(PerspectiveFixture.SETTINGS.withPages(7, 100),
					new RecordingPerspective("p"));
			restored.awaitApplied("p", restored.events());
			for (int i = 0; i < 10; i++) {
				restored.append("s-" + i, 2);
			}
			restored.awaitApplied("p", restored.events());
			assertThat(restored.faults("p", 1)).isEmpty();
			assertThat(restored.count("select restored from whizbang.wh_perspective_world")).isGreaterThanOrEqualTo(52);
			assertThat(restored.count("select count(*) from whizbang.wh_perspective_checkpoints where status <> 0"))
				.isZero();
			second.close();
		}
	}

	private static void copy(PostgresDatabase from, PostgresDatabase to) throws Exception {
		to.jdbc().execute("truncate " + String.join(", ", TABLES));
		for (String table : TABLES) {
			ByteArrayOutputStream rows = new ByteArrayOutputStream();
			try (Connection connection = from.unpooledDataSource().getConnection()) {
				copies(connection).copyOut("copy " + table + " to stdout", rows);
			}
			try (Connection connection = to.unpooledDataSource().getConnection()) {
				copies(connection).copyIn("copy " + table + " from stdin",
						new ByteArrayInputStream(rows.toByteArray()));
			}
		}
		for (String sequence : List.of("whizbang.wh_events_position_seq", "whizbang.wh_perspectives_run_id_seq",
				"applied_id_seq")) {
			Long value = from.jdbc().queryForObject("select last_value from " + sequence, Long.class);
			to.jdbc().queryForObject("select setval(?::regclass, ?)", Long.class, sequence, value);
		}
	}

	private static CopyManager copies(Connection connection) throws Exception {
		return connection.unwrap(PGConnection.class).getCopyAPI();
	}

	private static void burnIds(PostgresDatabase database, int count) {
		database.jdbc()
			.execute("""
					do $$ begin for i in 1 .. %d loop perform pg_current_xact_id(); commit; end loop; end $$"""
				.formatted(count));
	}

}
