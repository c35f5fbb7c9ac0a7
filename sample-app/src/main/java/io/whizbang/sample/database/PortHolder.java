package io.whizbang.sample.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.jspecify.annotations.Nullable;

/**
 * Who listens on a port.
 *
 * @param isPostgres whether it is a PostgreSQL that lets the shop in
 * @param processId its process, or {@code null} when it cannot be told
 */
record PortHolder(boolean isPostgres, @Nullable String processId) {

	static PortHolder of(int port) {
		String url = EmbeddedDatabase.url(port) + "?connectTimeout=2&socketTimeout=2";
		try (Connection connection = DriverManager.getConnection(url, EmbeddedDatabase.USERNAME, null);
				Statement statement = connection.createStatement();
				ResultSet directory = statement.executeQuery("show data_directory")) {
			directory.next();
			return new PortHolder(true, processId(Path.of(directory.getString(1))));
		}
		catch (SQLException ex) {
			return new PortHolder(false, null);
		}
	}

	private static @Nullable String processId(Path dataDirectory) {
		try {
			return Files.readAllLines(dataDirectory.resolve("postmaster.pid")).get(0).trim();
		}
		catch (IOException ex) {
			return null;
		}
	}

}
