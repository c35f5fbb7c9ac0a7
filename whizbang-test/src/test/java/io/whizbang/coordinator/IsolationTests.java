package io.whizbang.coordinator;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.schema.SchemaScript;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

import static io.whizbang.coordinator.CoordinatorFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the coordinator needs of a connection, and what it leaves alone.
 */
@PostgresTest
class IsolationTests {

	private final CoordinatorFixture fixture;

	private final PostgresDatabase database;

	IsolationTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new CoordinatorFixture(database);
	}

	@ParameterizedTest
	@ValueSource(ints = { Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE })
	void functionsRefuseASnapshotOlderThanTheirLocks(int isolation) throws SQLException {
		UUID id = this.fixture.join().id();
		try (Connection connection = this.database.unpooledDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setTransactionIsolation(isolation);
			for (String call : List.of("select * from whizbang.process_work_batch(1::smallint, '%s', '{}', '{}')",
					"select whizbang.leave_instance('%s')",
					"select whizbang.register_instance('%s', 's', 'h', 1, '{}', '{1}', 10000)")) {
				assertThatExceptionOfType(SQLException.class).isThrownBy(() -> statement.execute(call.formatted(id)))
					.withMessageContaining("READ COMMITTED")
					.extracting(SQLException::getSQLState)
					.isEqualTo("WB001");
			}
		}
	}

	@Test
	void poolWithAnotherIsolationAndWithoutAutoCommitStillWorksAndGetsItsSettingsBack() throws SQLException {
		HikariConfig config = new HikariConfig();
		config.setDataSource(this.database.unpooledDataSource());
		config.setMaximumPoolSize(1);
		config.setAutoCommit(false);
		config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
		try (HikariDataSource pool = new HikariDataSource(config)) {
			assertWorks(pool);
			try (Connection connection = pool.getConnection()) {
				assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
				assertThat(connection.getAutoCommit()).isFalse();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "repeatable read", "serializable" })
	void databaseWithAnotherDefaultStillWorks(String isolation) {
		JdbcTemplate jdbc = this.database.jdbc();
		jdbc.execute("alter database %s set default_transaction_isolation = '%s'".formatted(this.database.name(),
				isolation));
		try {
			assertThat(jdbc.queryForObject("show transaction_isolation", String.class)).isEqualTo(isolation);
			assertWorks(this.database.unpooledDataSource());
		}
		finally {
			jdbc.execute("alter database %s reset default_transaction_isolation".formatted(this.database.name()));
		}
	}

	private void assertWorks(DataSource dataSource) {
		this.fixture.enqueue("a1", "a2");
		TestInstance instance = new TestInstance(
				new JdbcWorkCoordinator(dataSource, "whizbang", CoordinatorSettings.defaults(), this.fixture.clock()),
				this.fixture.jdbc());
		assertThat(instance.drain()).containsExactly("a1", "a2");
		instance.leave();
		assertThat(this.fixture.members()).isZero();
	}

	@Test
	void exchangeIsApartFromTheTransactionOfItsCaller() {
		DataSource pool = this.database.dataSource();
		JdbcWorkCoordinator coordinator = new JdbcWorkCoordinator(new TransactionAwareDataSourceProxy(pool), "whizbang",
				CoordinatorSettings.defaults(), this.fixture.clock());
		TestInstance instance = new TestInstance(coordinator, this.fixture.jdbc());
		this.fixture.enqueue("a1");
		new TransactionTemplate(new DataSourceTransactionManager(pool)).executeWithoutResult((status) -> {
			instance.finish(instance.claim());
			status.setRollbackOnly();
		});
		assertThat(this.fixture.waiting()).isZero();
	}

	@Test
	void twoSchemasInOneDatabaseDoNotDisturbEachOther() throws SQLException {
		this.database.jdbc().execute(new SchemaScript("other").install());
		WorkCoordinator other = new JdbcWorkCoordinator(this.database.dataSource(), "other",
				CoordinatorSettings.defaults(), this.fixture.clock());
		TestInstance mine = this.fixture.join();
		this.fixture.enqueue("a1");
		try (Connection connection = this.database.unpooledDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			for (String role : List.of("membership", "expiry", "sweep", "all streams", "scheduled")) {
				statement.execute("select pg_advisory_xact_lock(whizbang.advisory_class(), "
						+ "whizbang.advisory_key(1::smallint, '%s'))".formatted(role));
			}
			statement.execute("select whizbang.announce_enqueue()");
			UUID theirs = other.register(new InstanceInfo("billing", "host-2", 1, Map.of()), Set.of(Queue.OUTBOX));
			WorkReport report = new WorkReport(List.of(), Map.of(), List.of(), null,
					List.of(message("b1", "a"), message("b2", "b", Duration.ofSeconds(1))));
			WorkBatch batch = other.exchange(theirs, Queue.OUTBOX, report, WorkRequest.upTo(10, null));
			assertThat(TestInstance.names(batch)).containsExactly("b1");
			assertThat(batch.members()).isOne();
			this.fixture.clock().advance(CoordinatorFixture.LEASE.plusSeconds(1));
			assertThat(TestInstance
				.names(other.exchange(theirs, Queue.OUTBOX, WorkReport.nothing(), WorkRequest.upTo(10, null))))
				.containsExactly("b1", "b2");
			assertThat(
					other.exchange(mine.id(), Queue.OUTBOX, WorkReport.nothing(), WorkRequest.upTo(10, null)).refused())
				.isTrue();
			other.leave(theirs);
			connection.rollback();
		}
		assertThat(mine.drain()).containsExactly("a1");
	}

}
