package io.whizbang.benchmarks.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * The pool that every contender gets, large enough that nobody waits for a connection.
 */
final class Pools {

	static final int SIZE = 48;

	private Pools() {
	}

	static HikariDataSource create(String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setMaximumPoolSize(SIZE);
		config.setMinimumIdle(0);
		return new HikariDataSource(config);
	}

}
