package io.whizbang.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.schema.SchemaMismatchException.Problem;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresServer;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@PostgresTest
class SchemaInstallerTests {

	private final PostgresServer server;

	private PostgresDatabase database;

	private JdbcTemplate jdbc;

	SchemaInstallerTests(PostgresServer server) {
		this.server = server;
	}

	@BeforeEach
	void createDatabase() {
		this.database = this.server.createDatabase("schema");
		this.jdbc = this.database.jdbc();
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void installsEverythingIntoItsOwnSchema() {
		install("whizbang", SchemaMode.MIGRATE);
		assertThat(tables("whizbang")).contains("wh_schema_version", "wh_schema_change", "wh_schema_change_lock");
		assertThat(tables("public")).isEmpty();
		assertThat(installer("whizbang", SchemaMode.NONE).installed()).hasValueSatisfying((version) -> {
			assertThat(version.number()).isOne();
			assertThat(version.fingerprint()).isEqualTo(Changelog.read().fingerprint());
		});
	}

	@Test
	void installsIntoASchemaOfAnotherName() {
		install("shop_work", SchemaMode.MIGRATE);
		assertThat(tables("shop_work")).contains("wh_schema_version");
		assertThat(tables("whizbang")).isEmpty();
	}

	@Test
	void isNotLedAstrayByAVariableOfTheEnvironment() {
		System.setProperty("schema", "elsewhere");
		try {
			install("whizbang", SchemaMode.MIGRATE);
		}
		finally {
			System.clearProperty("schema");
		}
		assertThat(tables("whizbang")).contains("wh_schema_version");
	}

	@Test
	void installsIntoTwoSchemasOfOneDatabase() {
		install("one", SchemaMode.MIGRATE);
		install("one", SchemaMode.MIGRATE);
		install("two", SchemaMode.MIGRATE);
		assertThat(tables("one")).isEqualTo(tables("two"));
		install("one", SchemaMode.VALIDATE);
		install("two", SchemaMode.VALIDATE);
	}

	@Test
	void installsAgainAfterTheSchemaWasDropped() {
		install("whizbang", SchemaMode.MIGRATE);
		this.jdbc.execute("drop schema whizbang cascade");
		install("whizbang", SchemaMode.MIGRATE);
		install("whizbang", SchemaMode.VALIDATE);
	}

	@Test
	void executesNoStatementThatChangesAnythingWhenNothingChanged() {
		install("whizbang", SchemaMode.MIGRATE);
		String reader = role("reader", "whizbang");
		String before = state();
		try (HikariDataSource pool = poolOf(reader)) {
			new SchemaInstaller(pool, SchemaSettings.defaults()).install();
			assertThat(state()).isEqualTo(before);
		}
		finally {
			dropRole(reader);
		}
	}

	@Test
	void needsNoMoreThanTwoConnectionsAndLeavesThemAsTheyWere() throws SQLException {
		try (HikariDataSource pool = pool((config) -> config.setConnectionTimeout(2000))) {
			List<String> before = sessionSettings(pool);
			new SchemaInstaller(pool, SchemaSettings.defaults()).install();
			assertThat(sessionSettings(pool)).isEqualTo(before);
		}
	}

	@Test
	void worksWithAPoolThatDoesNotCommitByItself() {
		try (HikariDataSource pool = pool((config) -> config.setAutoCommit(false))) {
			new SchemaInstaller(pool, SchemaSettings.defaults()).install();
		}
		install("whizbang", SchemaMode.VALIDATE);
	}

	@Test
	void takesOverFromAnInstanceThatWasKilledWhileItMigrated() {
		install("whizbang", SchemaMode.MIGRATE);
		this.jdbc.update("update whizbang.wh_schema_change_lock set locked = true, lockedby = 'killed', "
				+ "lockgranted = now()");
		this.jdbc.update("delete from whizbang.wh_schema_version");
		install("whizbang", SchemaMode.MIGRATE);
		assertThat(this.jdbc.queryForObject("select locked from whizbang.wh_schema_change_lock", Boolean.class))
			.isFalse();
		assertThat(installer("whizbang", SchemaMode.NONE).installed()).isPresent();
	}

	@Test
	void saysWhatItWaitsForWhenAnotherInstanceTakesTooLong() throws SQLException {
		try (Connection other = this.database.unpooledDataSource().getConnection()) {
			new JdbcTemplate(new SingleConnectionDataSource(other, true))
				.execute("select pg_advisory_lock(hashtextextended('whizbang schema whizbang', 0))");
			SchemaSettings settings = new SchemaSettings("whizbang", SchemaMode.MIGRATE, Duration.ofMillis(20));
			assertThatExceptionOfType(SchemaException.class)
				.isThrownBy(() -> new SchemaInstaller(this.database.dataSource(), settings).install())
				.withMessageContaining("Another instance has been migrating schema 'whizbang' for more than PT0.02S");
		}
		install("whizbang", SchemaMode.MIGRATE);
	}

	@Test
	void migratesASchemaThatAnAdministratorMadeForARoleThatMayNotCreateSchemas() {
		this.jdbc.execute("create role shop login");
		try {
			this.jdbc.execute("create schema whizbang authorization shop");
			try (HikariDataSource pool = poolOf("shop")) {
				new SchemaInstaller(pool, SchemaSettings.defaults()).install();
			}
			install("whizbang", SchemaMode.VALIDATE);
		}
		finally {
			dropRole("shop");
		}
	}

	@Test
	void tellsARoleThatMayNotCreateSchemasWhatToDo() {
		this.jdbc.execute("create role shop login");
		try (HikariDataSource pool = poolOf("shop")) {
			assertThatExceptionOfType(SchemaException.class)
				.isThrownBy(() -> new SchemaInstaller(pool, SchemaSettings.defaults()).install())
				.withMessageStartingWith("Role 'shop' may not create schema 'whizbang'")
				.withMessageContaining("create schema whizbang authorization shop");
		}
		finally {
			dropRole("shop");
		}
	}

	@Test
	void refusesAWordOfSqlAsAName() {
		assertThatExceptionOfType(SchemaException.class).isThrownBy(() -> install("order", SchemaMode.MIGRATE))
			.withMessageContaining("'order' is a word of SQL");
	}

	@Test
	void refusesReadOnlySessions() {
		try (HikariDataSource pool = pool(
				(config) -> config.setConnectionInitSql("set default_transaction_read_only = on"))) {
			assertThatExceptionOfType(ReadOnlyDatabaseException.class)
				.isThrownBy(() -> new SchemaInstaller(pool, SchemaSettings.defaults()).install())
				.withMessageContaining("read-only");
		}
	}

	@Test
	void doesNothingInModeNone() {
		install("whizbang", SchemaMode.NONE);
		assertThat(tables("whizbang")).isEmpty();
	}

	@Test
	void validatesWithoutWriting() {
		assertThatExceptionOfType(SchemaMismatchException.class)
			.isThrownBy(() -> install("whizbang", SchemaMode.VALIDATE))
			.satisfies((ex) -> assertThat(ex.problem()).isEqualTo(Problem.MISSING))
			.withMessage("Schema 'whizbang' is missing or has no Whizbang objects");
		assertThat(tables("whizbang")).isEmpty();
		install("whizbang", SchemaMode.MIGRATE);
		String before = state();
		install("whizbang", SchemaMode.VALIDATE);
		assertThat(state()).isEqualTo(before);
	}

	@Test
	void refusesASchemaInWhichAChangeHasNotRun() {
		install("whizbang", SchemaMode.MIGRATE);
		assertThatExceptionOfType(SchemaMismatchException.class)
			.isThrownBy(() -> later("extra", SchemaMode.VALIDATE).install())
			.satisfies((ex) -> assertThat(ex.problem()).isEqualTo(Problem.TOO_OLD))
			.withMessageContaining("tables/9999-extra.sql:9999-extra");
	}

	@Test
	void refusesASchemaInWhichAChangeRanDifferently() {
		install("whizbang", SchemaMode.MIGRATE);
		this.jdbc.update("update whizbang.wh_schema_change set md5sum = '9:00000000000000000000000000000000'"
				+ " where id = '0000-schema-version'");
		assertThatExceptionOfType(SchemaMismatchException.class)
			.isThrownBy(() -> install("whizbang", SchemaMode.VALIDATE))
			.satisfies((ex) -> assertThat(ex.problem()).isEqualTo(Problem.TOO_OLD))
			.satisfies((ex) -> assertThat(ex.changes())
				.containsExactly("tables/0000-schema-version.sql:0000-schema-version"));
	}

	@Test
	void refusesASchemaThatALaterReleaseInstalled() {
		later("extra", SchemaMode.MIGRATE).install();
		for (SchemaMode mode : List.of(SchemaMode.VALIDATE, SchemaMode.MIGRATE)) {
			assertThatExceptionOfType(SchemaMismatchException.class).isThrownBy(() -> install("whizbang", mode))
				.satisfies((ex) -> assertThat(ex.problem()).isEqualTo(Problem.TOO_NEW))
				.withMessageContaining("unknown here: tables/9999-extra.sql:9999-extra");
		}
	}

	@Test
	void restartsBesideALaterReleaseThatUpgradedItsSchema() {
		install("whizbang", SchemaMode.MIGRATE);
		later("extra", SchemaMode.MIGRATE).install();
		String upgraded = state();
		install("whizbang", SchemaMode.MIGRATE);
		install("whizbang", SchemaMode.VALIDATE);
		assertThat(state()).isEqualTo(upgraded);
		assertThat(tables("whizbang")).contains("extra");
		later("extra", SchemaMode.VALIDATE).install();
	}

	private SchemaInstaller installer(String schema, SchemaMode mode) {
		return new SchemaInstaller(this.database.dataSource(), SchemaSettings.of(schema, mode));
	}

	private void install(String schema, SchemaMode mode) {
		installer(schema, mode).install();
	}

	private SchemaInstaller later(String table, SchemaMode mode) {
		return new SchemaInstaller(this.database.dataSource(), SchemaSettings.of("whizbang", mode),
				LaterChangelog.withTable(table));
	}

	private List<String> tables(String schema) {
		return this.jdbc.queryForList("select relname from pg_class c join pg_namespace n on n.oid = relnamespace"
				+ " where relkind = 'r' and nspname = ? order by relname", String.class, schema);
	}

	/** Changes with every row written to the catalog or to the history. */
	private String state() {
		return this.jdbc.queryForObject("""
				select (select string_agg(oid || ':' || xmin, ',' order by oid) from pg_class where oid > 16384)
					|| (select string_agg(oid || ':' || xmin, ',' order by oid) from pg_proc where oid > 16384)
					|| (select string_agg(xmin || '', ',' order by orderexecuted) from whizbang.wh_schema_change)
					|| (select xmin from whizbang.wh_schema_change_lock)""", String.class);
	}

	private static List<String> sessionSettings(HikariDataSource pool) throws SQLException {
		String sql = "select string_agg(name || '=' || setting, ';' order by name) from pg_settings"
				+ " where name in ('search_path', 'statement_timeout', 'lock_timeout', 'synchronous_commit')";
		try (Connection one = pool.getConnection(); Connection two = pool.getConnection()) {
			return Stream.of(one, two)
				.map((connection) -> new JdbcTemplate(new SingleConnectionDataSource(connection, true))
					.queryForObject(sql, String.class))
				.toList();
		}
	}

	private String role(String name, String schema) {
		this.jdbc
			.execute("do $$ begin create role " + name + " login; exception when duplicate_object then null; end $$");
		this.jdbc.execute("grant usage on schema " + schema + " to " + name);
		this.jdbc.execute("grant select on all tables in schema " + schema + " to " + name);
		return name;
	}

	private void dropRole(String name) {
		this.jdbc.execute("drop owned by " + name + " cascade");
		this.jdbc.execute("drop role " + name);
	}

	private HikariDataSource poolOf(String role) {
		return pool((config) -> config.setUsername(role));
	}

	private HikariDataSource pool(Consumer<HikariConfig> settings) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(this.database.jdbcUrl());
		config.setUsername(this.server.username());
		config.setPassword(this.server.password());
		config.setMaximumPoolSize(2);
		settings.accept(config);
		return new HikariDataSource(config);
	}

}
