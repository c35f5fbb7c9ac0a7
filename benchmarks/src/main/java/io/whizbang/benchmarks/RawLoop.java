package io.whizbang.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * The limit: a bare table, an insert, and one thread that selects a batch and deletes it.
 * No claims, no leases, no retries, no second instance. Woken inside the process.
 */
public final class RawLoop implements Contender {

	private static final int BATCH = 2000;

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final Semaphore wake = new Semaphore(0);

	private volatile boolean stopped;

	private @Nullable Thread thread;

	public RawLoop(DataSource dataSource) {
		this.dataSource = dataSource;
		this.jdbc = new JdbcTemplate(dataSource);
		this.jdbc.execute("""
				create table if not exists raw_outbox (
					id bigint generated always as identity primary key, message_id uuid not null, stream text not null,
					topic text not null, created_at timestamptz not null default now(), payload text not null)
				with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000)""");
	}

	@Override
	public String name() {
		return "raw loop";
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		this.jdbc.update(
				"insert into raw_outbox (message_id, stream, topic, payload) values (gen_random_uuid(), ?, ?, ?)",
				stream, "orders", this.mapper.writeValueAsString(payload));
	}

	@Override
	public void load(List<Payload> payloads) {
		this.jdbc.batchUpdate(
				"insert into raw_outbox (message_id, stream, topic, payload) values (gen_random_uuid(), ?, ?, ?)",
				payloads.stream()
					.map((payload) -> new Object[] { payload.stream(), "orders",
							this.mapper.writeValueAsString(payload) })
					.toList());
	}

	@Override
	public void committed() {
		this.wake.release();
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.stopped = false;
		this.thread = new Thread(() -> run(delivered), "raw-loop");
		this.thread.start();
	}

	private void run(Consumer<Payload> delivered) {
		try (Connection connection = this.dataSource.getConnection()) {
			connection.setAutoCommit(true);
			while (!this.stopped) {
				if (round(connection, delivered) == 0) {
					this.wake.tryAcquire(10, TimeUnit.MILLISECONDS);
				}
				this.wake.drainPermits();
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The raw loop has failed", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private int round(Connection connection, Consumer<Payload> delivered) throws SQLException {
		List<Long> ids = new ArrayList<>();
		try (PreparedStatement select = connection.prepareStatement(
				"select id, message_id, stream, topic, payload from raw_outbox order by id limit " + BATCH);
				ResultSet rows = select.executeQuery()) {
			while (rows.next()) {
				ids.add(rows.getLong(1));
				delivered.accept(this.mapper.readValue(rows.getString(5), Payload.class));
			}
		}
		if (!ids.isEmpty()) {
			try (PreparedStatement delete = connection.prepareStatement("delete from raw_outbox where id = any (?)")) {
				delete.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
				delete.execute();
			}
		}
		return ids.size();
	}

	@Override
	public void stop() {
		this.stopped = true;
		this.wake.release();
		Thread running = this.thread;
		if (running != null) {
			try {
				running.join(10_000);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public void close() {
		stop();
	}

}
