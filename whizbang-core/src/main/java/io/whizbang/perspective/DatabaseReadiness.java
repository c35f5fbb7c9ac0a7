package io.whizbang.perspective;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * Says whether the database can be worked with. Asked before every round; while it
 * cannot, perspectives wait.
 */
@FunctionalInterface
public interface DatabaseReadiness {

	/**
	 * Says whether the database is ready. What it throws counts as a no.
	 * @return whether it is
	 */
	boolean isReady();

	/**
	 * Returns the check that a connection can be had, and answers.
	 * @param dataSource where from
	 * @return the check
	 */
	static DatabaseReadiness ofConnection(DataSource dataSource) {
		return () -> {
			try (Connection connection = dataSource.getConnection()) {
				return connection.isValid(5);
			}
			catch (SQLException ex) {
				return false;
			}
		};
	}

}
