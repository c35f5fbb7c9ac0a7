package io.whizbang.worker;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Opens the connection on which an instance listens for announcements. It is held for as
 * long as the instance lives, so it should not come from a pool, and it must reach the
 * server itself: a pooler that shares sessions swallows announcements.
 */
@FunctionalInterface
public interface ListenConnections {

	/**
	 * Opens a connection, preferably with TCP keep-alive.
	 * @return the connection; the listener closes it
	 * @throws SQLException if the database cannot be reached
	 */
	Connection open() throws SQLException;

}
