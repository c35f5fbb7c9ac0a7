package io.whizbang.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Counts how often a connection is asked for; the coordinator asks once per call.
 */
final class CountingDataSource extends DelegatingDataSource {

	private final AtomicLong count = new AtomicLong();

	CountingDataSource(DataSource target) {
		super(target);
	}

	@Override
	public Connection getConnection() throws SQLException {
		this.count.incrementAndGet();
		return super.getConnection();
	}

	long count() {
		return this.count.get();
	}

}
