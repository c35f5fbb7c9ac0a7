package io.whizbang.benchmarks;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.whizbang.benchmarks.SalesModel.Change;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The limit: one thread reads a thousand events by position, changes the model and writes
 * one checkpoint, in one transaction. No shards, leases or versions of streams, and it
 * loses events whose transactions commit late.
 */
final class RawProjection implements AutoCloseable {

	static final String TABLE = "raw_sales";

	private static final int BATCH = 1000;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final SalesModel model;

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final Semaphore wake = new Semaphore(0);

	private final Object monitor = new Object();

	private volatile boolean stopped;

	private long reached;

	private @Nullable Thread thread;

	RawProjection(DataSource dataSource, SalesModel model) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.model = model;
		this.jdbc
			.execute("create table if not exists raw_checkpoint (position bigint not null) with (fillfactor = 30)");
		model.create(TABLE);
	}

	/** Empties the model and begins anew at the first event. */
	void start() {
		this.jdbc.execute("truncate raw_checkpoint");
		this.jdbc.execute("insert into raw_checkpoint values (0)");
		this.model.empty(TABLE);
		this.stopped = false;
		synchronized (this.monitor) {
			this.reached = 0;
		}
		this.thread = new Thread(this::run, "raw-projection");
		this.thread.start();
	}

	void wake() {
		this.wake.release();
	}

	private void run() {
		try {
			while (!this.stopped) {
				if (!round()) {
					this.wake.tryAcquire(10, TimeUnit.MILLISECONDS);
				}
				this.wake.drainPermits();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean round() {
		Long last = this.transactions.<Long>execute((status) -> {
			Long from = this.jdbc.queryForObject("select position from raw_checkpoint", Long.class);
			List<Row> rows = read((from != null) ? from : 0);
			if (rows.isEmpty()) {
				return 0L;
			}
			long to = rows.get(rows.size() - 1).position();
			this.model.apply(TABLE,
					rows.stream()
						.map((row) -> new Change(row.stream(), this.mapper.readValue(row.payload(), Sold.class)))
						.toList());
			this.jdbc.update("update raw_checkpoint set position = ?", to);
			return to;
		});
		if (last == null || last == 0) {
			return false;
		}
		synchronized (this.monitor) {
			this.reached = last;
			this.monitor.notifyAll();
		}
		return true;
	}

	private List<Row> read(long from) {
		return this.jdbc.query("""
				select position, stream_id, version, event_id, event_type, type_version, recorded_at, metadata, payload
				from whizbang.wh_events where position > ? order by position limit ?""",
				(rows, number) -> new Row(rows.getLong(1), rows.getObject(2, UUID.class), rows.getString(9)), from,
				BATCH);
	}

	/** Waits until everything up to a position is in the model. */
	void await(long position) throws InterruptedException {
		synchronized (this.monitor) {
			while (this.reached < position) {
				this.monitor.wait();
			}
		}
	}

	void stop() throws InterruptedException {
		this.stopped = true;
		this.wake.release();
		Thread running = this.thread;
		if (running != null) {
			running.join(10_000);
		}
	}

	@Override
	public void close() throws InterruptedException {
		stop();
	}

	/**
	 * An event.
	 *
	 * @param position its position
	 * @param stream its stream
	 * @param payload its payload
	 */
	private record Row(long position, UUID stream, String payload) {

	}

}
