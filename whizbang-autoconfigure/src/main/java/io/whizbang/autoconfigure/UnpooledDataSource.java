package io.whizbang.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.common.BaseDataSource;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.ClassUtils;

/**
 * Finds a way to the same database around the connection pool. A connection that listens
 * is held for as long as the application runs: taken from a pool, it would be one less
 * for everybody else, and the pool would close it when it grows old.
 */
final class UnpooledDataSource {

	private static final boolean HIKARI = ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource",
			UnpooledDataSource.class.getClassLoader());

	private UnpooledDataSource() {
	}

	/**
	 * Derives a data source without a pool.
	 * @param dataSource the application's data source
	 * @param details how the application's only data source was configured, or
	 * {@code null}
	 * @return the data source, or {@code null} when there is no way around the pool
	 */
	static @Nullable DataSource derive(DataSource dataSource, @Nullable JdbcConnectionDetails details) {
		DataSource derived = HIKARI ? Hikari.derive(dataSource) : null;
		if (derived == null) {
			derived = withoutPool(DataSourceUnwrapper.unwrapRoot(dataSource));
		}
		if (derived == null && details != null) {
			derived = new DriverManagerDataSource(details.getJdbcUrl(), text(details.getUsername()),
					text(details.getPassword()));
		}
		return derived;
	}

	private static @Nullable DataSource withoutPool(DataSource root) {
		if (root instanceof BaseDataSource || root instanceof AbstractDriverBasedDataSource) {
			return root;
		}
		try {
			return DataSourceBuilder.derivedFrom(root).type(DriverManagerDataSource.class).build();
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	private static String text(@Nullable String value) {
		return (value != null) ? value : "";
	}

	private static final class Hikari {

		private Hikari() {
		}

		static @Nullable DataSource derive(DataSource dataSource) {
			HikariDataSource pool = DataSourceUnwrapper.unwrap(dataSource, HikariConfigMXBean.class,
					HikariDataSource.class);
			if (pool == null) {
				return null;
			}
			DataSource inner = pool.getDataSource();
			if (inner != null) {
				return inner;
			}
			return (pool.getJdbcUrl() != null) ? new BesidePool(pool) : null;
		}

	}

	/**
	 * Asks the pool's configuration each time, because passwords change while
	 * applications run.
	 */
	private static final class BesidePool extends AbstractDataSource {

		private final HikariDataSource pool;

		BesidePool(HikariDataSource pool) {
			this.pool = pool;
		}

		@Override
		public Connection getConnection() throws SQLException {
			return getConnection(text(this.pool.getCredentials().getUsername()),
					text(this.pool.getCredentials().getPassword()));
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			DriverManagerDataSource direct = new DriverManagerDataSource(this.pool.getJdbcUrl(), username, password);
			Properties properties = new Properties();
			properties.putAll(this.pool.getDataSourceProperties());
			direct.setConnectionProperties(properties);
			return direct.getConnection();
		}

	}

}
