package io.whizbang.chaos;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.Assert;

/**
 * A change of an installed function, undone at the end.
 */
final class Mutation implements AutoCloseable {

	private final JdbcTemplate jdbc;

	private final String original;

	Mutation(JdbcTemplate jdbc, String function, String snippet, String replacement) {
		this.jdbc = jdbc;
		this.original = jdbc.queryForObject(
				"select pg_get_functiondef(p.oid) from pg_proc p where p.proname = ? and p.pronamespace = ?::regnamespace",
				String.class, function, ChaosDatabase.SCHEMA);
		int at = this.original.indexOf(snippet);
		Assert.state(at >= 0 && this.original.indexOf(snippet, at + 1) < 0, () -> "Function " + function
				+ " must have exactly once '" + snippet + "', or nothing is known about the checks: " + this.original);
		jdbc.execute(this.original.replace(snippet, replacement));
	}

	@Override
	public void close() {
		this.jdbc.execute(this.original);
	}

}
