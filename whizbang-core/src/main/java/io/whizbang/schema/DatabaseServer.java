package io.whizbang.schema;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What stands behind a connection, and whether Whizbang can work with it.
 *
 * @param product the product's name
 * @param version the version as the product tells it
 * @param major the major version
 */
record DatabaseServer(String product, String version, int major) {

	static final int OLDEST_MAJOR_VERSION = 14;

	static DatabaseServer of(Connection connection) throws SQLException {
		DatabaseMetaData metaData = connection.getMetaData();
		return new DatabaseServer(metaData.getDatabaseProductName(), metaData.getDatabaseProductVersion(),
				metaData.getDatabaseMajorVersion());
	}

	/**
	 * Refuses a connection that Whizbang cannot write through.
	 * @param connection the connection
	 * @throws SQLException when the database does not answer
	 */
	static void check(Connection connection) throws SQLException {
		of(connection).checkSupported();
		try (Statement statement = connection.createStatement();
				ResultSet answer = statement
					.executeQuery("select pg_is_in_recovery(), current_setting('transaction_read_only')::boolean")) {
			answer.next();
			if (answer.getBoolean(2)) {
				throw new ReadOnlyDatabaseException(answer.getBoolean(1));
			}
		}
	}

	void checkSupported() {
		if (!"PostgreSQL".equals(this.product) || this.major < OLDEST_MAJOR_VERSION) {
			throw new UnsupportedDatabaseException(this.product + " " + this.version);
		}
	}

}
