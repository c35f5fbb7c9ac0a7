package io.whizbang.inbox;

import java.time.Duration;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcCalls;

/**
 * Forgets received messages whose retention is over, in batches that hold up nobody.
 */
public final class JdbcDeduplicationPurge {

	private static final int BATCH = 1000;

	/** So many batches in a row; the rest has time until the next round. */
	private static final int MAX_BATCHES = 100;

	private final JdbcCalls calls;

	/**
	 * Creates a purge.
	 * @param dataSource where the schema is
	 * @param schema the schema's name
	 */
	public JdbcDeduplicationPurge(DataSource dataSource, String schema) {
		this.calls = new JdbcCalls(dataSource, schema, InboxSettings.CALL_TIMEOUT_SECONDS);
	}

	/**
	 * Forgets what is over. When another instance is at it, does nothing.
	 * @return how long to wait until the next time
	 */
	public Duration run() {
		int purged = 0;
		for (int batch = 0; batch < MAX_BATCHES; batch++) {
			int gone = purgeBatch();
			purged += gone;
			if (gone < BATCH) {
				return (purged > 0) ? Duration.ofMinutes(1) : Duration.ofMinutes(10);
			}
		}
		return Duration.ofSeconds(1);
	}

	private int purgeBatch() {
		return this.calls
			.within("purge_deduplication(?)", (arguments) -> arguments.count(BATCH), (rows) -> rows.getInt(1))
			.get(0);
	}

}
