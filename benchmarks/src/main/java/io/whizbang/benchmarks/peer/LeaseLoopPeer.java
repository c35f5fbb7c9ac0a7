package io.whizbang.benchmarks.peer;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.benchmarks.Payload;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What most outboxes do at heart, and nothing else: a lease is an update of every row,
 * then a delete. Two claimers, 500 rows each.
 */
final class LeaseLoopPeer implements Peer {

	private static final int CLAIMERS = 2;

	private static final int BATCH = 500;

	private static final String INSERT = "insert into leased_outbox (stream, payload) values (?, ?)";

	private static final String CLAIM = """
			with claimed as (
			    update leased_outbox set leased_until = now() + interval '5 minutes', leased_by = ?
			    where id = any (array(
			        select id from leased_outbox where leased_until is null or leased_until < now()
			        order by id limit ? for update skip locked))
			    returning id, payload)
			select id, payload from claimed order by id""";

	private final HikariDataSource dataSource;

	private final JdbcTemplate jdbc;

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final List<Thread> threads = new ArrayList<>();

	private volatile boolean stopped;

	LeaseLoopPeer(String url) {
		this.dataSource = Pools.create(url);
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.jdbc.execute("""
				create table if not exists leased_outbox (
				    id bigint generated always as identity primary key, stream text not null, payload text not null,
				    created_at timestamptz not null default now(), leased_until timestamptz, leased_by text)
				with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000)""");
	}

	@Override
	public String name() {
		return "lease loop";
	}

	@Override
	public String version() {
		return "this one";
	}

	@Override
	public String settings() {
		return "two threads, each an update of 500 rows to lease them and a delete, every 10 ms while there is nothing";
	}

	@Override
	public boolean keepsOrder() {
		return false;
	}

	@Override
	public List<String> tables() {
		return List.of("leased_outbox");
	}

	@Override
	public DataSource dataSource() {
		return this.dataSource;
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		this.jdbc.update(INSERT, stream, this.mapper.writeValueAsString(payload));
	}

	@Override
	public void load(List<Payload> payloads) {
		this.jdbc.batchUpdate(INSERT,
				payloads.stream()
					.map((payload) -> new Object[] { payload.stream(), this.mapper.writeValueAsString(payload) })
					.toList());
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.stopped = false;
		for (int i = 0; i < CLAIMERS; i++) {
			String name = "claimer-" + i;
			Thread thread = new Thread(() -> run(name, delivered), name);
			this.threads.add(thread);
			thread.start();
		}
	}

	private void run(String name, Consumer<Payload> delivered) {
		try (Connection connection = this.dataSource.getConnection()) {
			while (!this.stopped) {
				if (round(connection, name, delivered) == 0) {
					LockSupport.parkNanos(10_000_000);
				}
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException("A claimer has failed", ex);
		}
	}

	private int round(Connection connection, String name, Consumer<Payload> delivered) throws SQLException {
		List<Long> ids = new ArrayList<>();
		try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
			claim.setString(1, name);
			claim.setInt(2, BATCH);
			try (ResultSet rows = claim.executeQuery()) {
				while (rows.next()) {
					ids.add(rows.getLong(1));
					delivered.accept(this.mapper.readValue(rows.getString(2), Payload.class));
				}
			}
		}
		if (!ids.isEmpty()) {
			try (PreparedStatement delete = connection
				.prepareStatement("delete from leased_outbox where id = any (?) and leased_by = ?")) {
				delete.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
				delete.setString(2, name);
				delete.execute();
			}
		}
		return ids.size();
	}

	@Override
	public void stop() {
		this.stopped = true;
		for (Thread thread : this.threads) {
			try {
				thread.join(10_000);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
		this.threads.clear();
	}

	@Override
	public void close() {
		stop();
		this.dataSource.close();
	}

}
