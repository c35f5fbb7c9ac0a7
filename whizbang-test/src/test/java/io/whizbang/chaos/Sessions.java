package io.whizbang.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.postgresql.PGConnection;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source that knows its database sessions, so that they can be ended.
 */
final class Sessions extends DelegatingDataSource {

	private final Set<Integer> backends = ConcurrentHashMap.newKeySet();

	Sessions(DataSource dataSource) {
		super(dataSource);
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		this.backends.add(connection.unwrap(PGConnection.class).getBackendPID());
		return connection;
	}

	/** Ends all sessions. */
	void cut(JdbcTemplate jdbc) {
		this.backends.forEach((pid) -> end(jdbc, pid));
		this.backends.clear();
	}

	/** Ends one session. */
	void cutOne(JdbcTemplate jdbc, Random random) {
		List<Integer> all = List.copyOf(this.backends);
		if (!all.isEmpty()) {
			Integer victim = all.get(random.nextInt(all.size()));
			this.backends.remove(victim);
			end(jdbc, victim);
		}
	}

	private static void end(JdbcTemplate jdbc, Integer pid) {
		jdbc.queryForList("select pg_terminate_backend(?)", Boolean.class, pid);
	}

}
