package io.whizbang.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

@PostgresTest
class LeavingTests {

	private final PostgresDatabase database;

	LeavingTests(PostgresDatabase database) {
		this.database = database;
		new SchemaInstaller(database.dataSource(), SchemaSettings.defaults()).install();
	}

	@Test
	void doesNotDeadlockWithAnotherInstanceThatTakesTheLeavingOneForDead() throws SQLException {
		JdbcWorkCoordinator coordinator = new JdbcWorkCoordinator(this.database.dataSource(), "whizbang",
				Instance.RULES);
		UUID leaving = coordinator.register(new InstanceInfo("test", "leaving", 1, Map.of()), Set.of(Queue.OUTBOX));
		UUID staying = coordinator.register(new InstanceInfo("test", "staying", 2, Map.of()), Set.of(Queue.OUTBOX));
		try (Connection other = this.database.unpooledDataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			// What check_members does, in two steps with time between them.
			statement.execute("delete from whizbang.wh_service_instances where instance_id = '" + leaving + "'");
			CompletableFuture<Void> farewell = CompletableFuture.runAsync(() -> coordinator.leave(leaving));
			Await.until("the farewell to wait", this::somebodyWaits);
			statement.execute("select whizbang.refresh_members(1::smallint)");
			other.commit();
			assertThatNoException().isThrownBy(farewell::join);
		}
		assertThat(this.database.jdbc()
			.queryForObject("select members::text from whizbang.wh_epoch where queue = 1", String.class))
			.isEqualTo("{" + staying + "}");
	}

	private boolean somebodyWaits() {
		return Boolean.TRUE.equals(this.database.jdbc()
			.queryForObject("select exists (select from pg_locks l join pg_stat_activity a using (pid) "
					+ "where not l.granted and a.datname = current_database())", Boolean.class));
	}

}
