package io.whizbang.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import io.whizbang.schema.SchemaMismatchException.Problem;
import liquibase.change.CheckSum;
import liquibase.changelog.ChangeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the changes of this release with those that have run. Writes nothing.
 */
final class SchemaCheck {

	private final Changelog changelog;

	private final String schema;

	SchemaCheck(Changelog changelog, String schema) {
		this.changelog = changelog;
		this.schema = schema;
	}

	/**
	 * Tells where the schema stands, by the changelogs that were installed as a whole.
	 * @param connection the connection to ask
	 * @return where it stands
	 * @throws SQLException when the database does not answer
	 */
	Standing standing(Connection connection) throws SQLException {
		List<SchemaVersion> versions = new SchemaHistory(connection, this.schema).versions();
		for (int i = versions.size() - 1; i >= 0; i--) {
			if (versions.get(i).fingerprint().equals(this.changelog.fingerprint())) {
				return (i == versions.size() - 1) ? Standing.CURRENT : Standing.LATER_RELEASE;
			}
		}
		return Standing.DIFFERENT;
	}

	/**
	 * Refuses a schema that a later release has changed, of which this release knows
	 * nothing.
	 * @param connection the connection to ask
	 * @throws SQLException when the database does not answer
	 */
	void refuseUnknownChanges(Connection connection) throws SQLException {
		List<ChangeSet> expected = new ChangelogRun(this.changelog, this.schema).changes(connection);
		refuseUnknownChanges(expected, new SchemaHistory(connection, this.schema).changes());
	}

	/**
	 * Refuses a schema in which not all changes of this release have run as they are.
	 * @param connection the connection to ask
	 * @throws SQLException when the database does not answer
	 */
	void refuseDifferences(Connection connection) throws SQLException {
		Map<String, @Nullable String> ran = new SchemaHistory(connection, this.schema).changes();
		if (ran.isEmpty()) {
			throw new SchemaMismatchException(this.schema, Problem.MISSING, List.of());
		}
		List<ChangeSet> expected = new ChangelogRun(this.changelog, this.schema).changes(connection);
		refuseUnknownChanges(expected, ran);
		List<String> notRun = new ArrayList<>();
		for (ChangeSet change : expected) {
			String key = key(change);
			if (!ran.containsKey(key) || !change.isCheckSumValid(CheckSum.parse(ran.get(key)))) {
				notRun.add(key);
			}
		}
		if (!notRun.isEmpty()) {
			throw new SchemaMismatchException(this.schema, Problem.TOO_OLD, notRun);
		}
	}

	private void refuseUnknownChanges(List<ChangeSet> expected, Map<String, @Nullable String> ran) {
		TreeSet<String> unknown = new TreeSet<>(ran.keySet());
		expected.forEach((change) -> unknown.remove(key(change)));
		if (!unknown.isEmpty()) {
			throw new SchemaMismatchException(this.schema, Problem.TOO_NEW, List.copyOf(unknown));
		}
	}

	private static String key(ChangeSet change) {
		return SchemaHistory.key(change.getFilePath(), change.getId());
	}

	/** Where a schema stands, seen from this release. */
	enum Standing {

		/** It is what this release brings. */
		CURRENT,

		/** It was what this release brings, until a later release upgraded it. */
		LATER_RELEASE,

		/** It never was what this release brings. */
		DIFFERENT

	}

}
