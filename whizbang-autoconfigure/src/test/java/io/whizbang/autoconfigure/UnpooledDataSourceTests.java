package io.whizbang.autoconfigure;

import java.sql.Connection;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class UnpooledDataSourceTests {

	private final PostgresDatabase database;

	UnpooledDataSourceTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void goesAroundAHikariPool() throws Exception {
		try (HikariDataSource pool = pool()) {
			assertLeadsAround(pool, UnpooledDataSource.derive(pool, null));
		}
	}

	@Test
	void goesAroundAHikariPoolBehindAProxy() throws Exception {
		try (HikariDataSource pool = pool()) {
			assertLeadsAround(pool, UnpooledDataSource.derive(new LazyConnectionDataSourceProxy(pool), null));
		}
	}

	@Test
	void keepsThePropertiesOfThePool() {
		try (HikariDataSource pool = pool()) {
			pool.setJdbcUrl(this.database.jdbcUrl().replaceFirst("\\?.*", ""));
			pool.addDataSourceProperty("ApplicationName", "shop");
			DataSource direct = UnpooledDataSource.derive(pool, null);
			assertThat(direct).isNotNull();
			assertThat(new JdbcTemplate(direct).queryForObject("show application_name", String.class))
				.isEqualTo("shop");
		}
	}

	@Test
	void takesTheDataSourceInsideThePool() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(this.database.unpooledDataSource());
			assertThat(UnpooledDataSource.derive(pool, null)).isSameAs(pool.getDataSource());
		}
	}

	@Test
	void takesADataSourceWithoutPoolAsItIs() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		assertThat(UnpooledDataSource.derive(dataSource, null)).isSameAs(dataSource);
	}

	@Test
	void usesTheConnectionDetailsWhenThePoolIsUnknown() throws Exception {
		DataSource direct = UnpooledDataSource.derive(new UnknownPool(), details());
		assertThat(direct).isNotNull();
		try (Connection connection = direct.getConnection()) {
			assertThat(connection.getCatalog()).isEqualTo(this.database.name());
		}
	}

	@Test
	void givesUpWhenThereIsNoWayAroundThePool() {
		assertThat(UnpooledDataSource.derive(new UnknownPool(), null)).isNull();
	}

	private HikariDataSource pool() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(this.database.jdbcUrl());
		pool.setUsername(this.database.server().username());
		pool.setPassword(this.database.server().password());
		pool.setMaximumPoolSize(1);
		pool.setConnectionTimeout(1000);
		return pool;
	}

	private static void assertLeadsAround(HikariDataSource pool, @Nullable DataSource direct) throws Exception {
		assertThat(direct).isNotNull();
		try (Connection all = pool.getConnection(); Connection beside = direct.getConnection()) {
			assertThat(beside.getCatalog()).isEqualTo(all.getCatalog());
		}
	}

	private JdbcConnectionDetails details() {
		return new JdbcConnectionDetails() {

			@Override
			public String getUsername() {
				return UnpooledDataSourceTests.this.database.server().username();
			}

			@Override
			public @Nullable String getPassword() {
				return UnpooledDataSourceTests.this.database.server().password();
			}

			@Override
			public String getJdbcUrl() {
				return UnpooledDataSourceTests.this.database.jdbcUrl();
			}

		};
	}

	private static final class UnknownPool extends AbstractDataSource {

		@Override
		public Connection getConnection() {
			throw new UnsupportedOperationException();
		}

		@Override
		public Connection getConnection(String username, String password) {
			throw new UnsupportedOperationException();
		}

	}

}
