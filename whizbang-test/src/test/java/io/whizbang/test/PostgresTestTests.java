package io.whizbang.test;

import java.sql.DriverManager;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class PostgresTestTests {

	private final PostgresDatabase database;

	PostgresTestTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void givesEveryTestOfAClassTheSameDatabase(PostgresDatabase again, DataSource pool) {
		assertThat(again).isSameAs(this.database);
		assertThat(pool).isSameAs(this.database.dataSource());
		assertThat(new JdbcTemplate(pool).queryForObject("select current_database()", String.class))
			.isEqualTo(this.database.name())
			.contains("postgrestesttests");
	}

	@Test
	void createsFurtherDatabasesThatKnowNothingOfEachOther(PostgresServer server) {
		try (PostgresDatabase other = server.createDatabase("other")) {
			other.jdbc().execute("create table thing (id int)");
			assertThat(this.database.jdbc().queryForObject("select to_regclass('thing')", String.class)).isNull();
			assertThat(names(server)).contains(other.name());
		}
	}

	@Test
	void dropsAClosedDatabaseEvenWhenSomebodyIsConnected(PostgresServer server) throws Exception {
		PostgresDatabase other = server.createDatabase("other");
		try (var connection = other.unpooledDataSource().getConnection()) {
			other.close();
			assertThat(connection.isValid(1)).isFalse();
		}
		assertThat(names(server)).doesNotContain(other.name());
	}

	@Test
	void endsAllSessionsOfItsDatabaseAndNoOther(PostgresServer server) throws Exception {
		try (PostgresDatabase other = server.createDatabase("other");
				var mine = this.database.unpooledDataSource().getConnection();
				var theirs = other.unpooledDataSource().getConnection()) {
			assertThat(this.database.terminateBackends()).isPositive();
			assertThat(mine.isValid(1)).isFalse();
			assertThat(theirs.isValid(1)).isTrue();
		}
	}

	@Test
	void givesAnAddressThatDriversAccept() throws Exception {
		try (var connection = DriverManager.getConnection(this.database.jdbcUrl(), this.database.server().username(),
				this.database.server().password())) {
			assertThat(connection.getCatalog()).isEqualTo(this.database.name());
		}
		assertThat(this.database.jdbcUrl()).doesNotContain("password");
	}

	private static List<String> names(PostgresServer server) {
		return server.administration().queryForList("select datname from pg_database", String.class);
	}

	@Nested
	class InANestedClass {

		@Test
		void theDatabaseIsThatOfTheOuterClass(PostgresDatabase inner) {
			assertThat(inner).isSameAs(PostgresTestTests.this.database);
		}

	}

	@Test
	void keepsDataOverCrashAndRestartOfAServerOfItsOwn() {
		try (EmbeddedPostgresServer embedded = EmbeddedPostgresServer.create(Map.of("max_connections", "20"))) {
			PostgresDatabase database = embedded.server().createDatabase("crash");
			JdbcTemplate jdbc = database.jdbc();
			jdbc.execute("create table thing (id int)");
			embedded.crash();
			embedded.start();
			jdbc.update("insert into thing values (1)");
			embedded.restart();
			assertThat(jdbc.queryForList("select id from thing", Integer.class)).containsExactly(1);
			assertThat(jdbc.queryForObject("show max_connections", String.class)).isEqualTo("20");
			assertThat(jdbc.queryForObject("show fsync", String.class)).isEqualTo("off");
			database.close();
		}
	}

}
