package io.whizbang.test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Counts the buffers that statements of one session read.
 */
public final class Buffers {

	private final Connection session;

	public Buffers(Connection session) {
		this.session = session;
	}

	/** Runs a statement once, with all that it does. */
	public int of(String sql) throws SQLException {
		try (Statement statement = this.session.createStatement();
				ResultSet rows = statement.executeQuery("explain (analyze, buffers, format json) " + sql)) {
			rows.next();
			JsonNode plan = JsonMapper.shared().readTree(rows.getString(1)).get(0).get("Plan");
			return plan.get("Shared Hit Blocks").intValue() + plan.get("Shared Read Blocks").intValue();
		}
	}

	/**
	 * What a call costs that does not plan anew and read the catalog for it, as one does
	 * after an analyze, which autovacuum may do at any time. Runs a statement twice.
	 */
	public int steadily(String sql) throws SQLException {
		return Math.min(of(sql), of(sql));
	}

	/** The same for a statement that must not change anything, in a transaction. */
	public int steadilyUndone(String sql) throws SQLException {
		return Math.min(undone(sql), undone(sql));
	}

	private int undone(String sql) throws SQLException {
		Savepoint before = this.session.setSavepoint();
		int buffers = of(sql);
		this.session.rollback(before);
		return buffers;
	}

}
