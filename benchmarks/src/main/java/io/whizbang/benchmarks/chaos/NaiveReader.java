package io.whizbang.benchmarks.chaos;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads events as one does who has not thought of transactions that overlap: those behind
 * the last position. What it misses shows that the storm bites.
 */
final class NaiveReader implements Runnable {

	private final JdbcTemplate jdbc;

	private final BooleanSupplier goesOn;

	private final AtomicLong seen = new AtomicLong();

	private long last;

	NaiveReader(JdbcTemplate jdbc, BooleanSupplier goesOn) {
		this.jdbc = jdbc;
		this.goesOn = goesOn;
	}

	@Override
	public void run() {
		while (this.goesOn.getAsBoolean()) {
			read();
			LockSupport.parkNanos(20_000_000);
		}
	}

	/** Reads what there is. */
	void read() {
		try {
			List<Long> positions;
			do {
				positions = this.jdbc.queryForList(
						"select position from whizbang.wh_events where position > ? order by position limit 1000",
						Long.class, this.last);
				if (!positions.isEmpty()) {
					this.last = positions.get(positions.size() - 1);
					this.seen.addAndGet(positions.size());
				}
			}
			while (!positions.isEmpty());
		}
		catch (DataAccessException ex) {
			// The database was ended, or the session: the last position is still known.
		}
	}

	long seen() {
		return this.seen.get();
	}

}
