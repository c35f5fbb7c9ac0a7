package io.whizbang.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the database says about the changes that have run in a schema.
 */
final class SchemaHistory {

	private final Connection connection;

	private final String schema;

	SchemaHistory(Connection connection, String schema) {
		this.connection = connection;
		this.schema = schema;
	}

	boolean hasSchema() throws SQLException {
		return isTrue("select exists (select from pg_namespace where nspname = ?)", this.schema);
	}

	boolean hasTable(String table) throws SQLException {
		return isTrue("select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace"
				+ " where n.nspname = ? and c.relname = ?)", this.schema, table);
	}

	/**
	 * Returns every changelog that was installed.
	 * @return the versions, oldest first
	 * @throws SQLException when the database does not answer
	 */
	List<SchemaVersion> versions() throws SQLException {
		if (!hasTable("wh_schema_version")) {
			return List.of();
		}
		List<SchemaVersion> versions = new ArrayList<>();
		try (Statement statement = this.connection.createStatement();
				ResultSet rows = statement.executeQuery("select version, release, fingerprint, installed_at from "
						+ this.schema + ".wh_schema_version order by version")) {
			while (rows.next()) {
				versions.add(new SchemaVersion(rows.getInt(1), rows.getString(2), rows.getString(3),
						rows.getObject(4, OffsetDateTime.class).toInstant()));
			}
		}
		return versions;
	}

	/**
	 * Returns the changes that have run.
	 * @return path and name of each, with its checksum
	 * @throws SQLException when the database does not answer
	 */
	Map<String, @Nullable String> changes() throws SQLException {
		Map<String, @Nullable String> changes = new HashMap<>();
		if (hasTable(ChangelogRun.HISTORY_TABLE)) {
			try (Statement statement = this.connection.createStatement();
					ResultSet rows = statement.executeQuery(
							"select filename, id, md5sum from " + this.schema + "." + ChangelogRun.HISTORY_TABLE)) {
				while (rows.next()) {
					changes.put(key(rows.getString(1), rows.getString(2)), rows.getString(3));
				}
			}
		}
		return changes;
	}

	static String key(String path, String id) {
		String file = path.startsWith(Changelog.FOLDER) ? path.substring(Changelog.FOLDER.length()) : path;
		return file + ":" + id;
	}

	private boolean isTrue(String sql, String... parameters) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(sql)) {
			for (int i = 0; i < parameters.length; i++) {
				statement.setString(i + 1, parameters[i]);
			}
			try (ResultSet answer = statement.executeQuery()) {
				return answer.next() && answer.getBoolean(1);
			}
		}
	}

}
