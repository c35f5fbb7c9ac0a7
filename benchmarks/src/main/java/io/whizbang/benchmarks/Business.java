package io.whizbang.benchmarks;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What is done for each received message: one row, in the transaction of the caller.
 */
final class Business {

	private final JdbcTemplate jdbc;

	Business(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.jdbc.execute("create table if not exists handled (number int not null, stream text not null)");
	}

	void handle(Payload payload) {
		this.jdbc.update("insert into handled (number, stream) values (?, ?)", payload.number(), payload.stream());
	}

	/** Makes sure that every message took effect once, and begins anew. */
	void check(String contender, int messages) {
		Long rows = this.jdbc.queryForObject("select count(*) from handled", Long.class);
		if (rows == null || rows != messages) {
			throw new IllegalStateException(
					contender + " has handled " + rows + " instead of " + messages + " messages");
		}
		this.jdbc.execute("truncate handled");
	}

}
