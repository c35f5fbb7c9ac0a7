package io.whizbang.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.whizbang.message.MessageId;
import io.whizbang.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The limit: two statements that receive a batch without its duplicates, and a loop that
 * reads a thousand messages and gives each of its threads the streams that are its own; a
 * thread handles and deletes fifty in one transaction. No claims, no savepoints, no
 * retries, no second instance: one message that fails takes the others with it. Woken
 * inside the process.
 */
final class RawInbox implements Contender {

	private static final int READ_AT_ONCE = 1000;

	private static final int BATCH = 50;

	private static final int THREADS = WorkerSettings.defaults().concurrency();

	private final Business business;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final Semaphore wake = new Semaphore(0);

	private volatile boolean stopped;

	private @Nullable Thread thread;

	RawInbox(DataSource dataSource, Business business) {
		this.business = business;
		this.jdbc = new JdbcTemplate(dataSource);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.jdbc.execute("""
				create table if not exists raw_dedup (
					source text not null, message_id uuid not null, received_at timestamptz not null default now(),
					primary key (source, message_id));
				create table if not exists raw_inbox (
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
		load(List.of(payload));
	}

	@Override
	public void load(List<Payload> payloads) {
		UUID[] ids = payloads.stream().map((payload) -> MessageId.next().value()).toArray(UUID[]::new);
		this.transactions.executeWithoutResult((status) -> this.jdbc.execute((Connection connection) -> {
			Set<UUID> fresh = remember(connection, ids);
			List<Integer> places = new ArrayList<>();
			for (int place = 0; place < ids.length; place++) {
				if (fresh.contains(ids[place])) {
					places.add(place);
				}
			}
			return store(connection, places.stream().map((place) -> ids[place]).toArray(UUID[]::new),
					places.stream().map(payloads::get).toList());
		}));
		this.wake.release();
	}

	private static Set<UUID> remember(Connection connection, UUID[] ids) throws SQLException {
		Set<UUID> fresh = new HashSet<>();
		try (PreparedStatement insert = connection
			.prepareStatement("insert into raw_dedup (source, message_id) select 'kafka:orders', unnest(?) "
					+ "on conflict do nothing returning message_id")) {
			insert.setArray(1, connection.createArrayOf("uuid", ids));
			try (ResultSet rows = insert.executeQuery()) {
				while (rows.next()) {
					fresh.add(rows.getObject(1, UUID.class));
				}
			}
		}
		return fresh;
	}

	private int store(Connection connection, UUID[] ids, List<Payload> payloads) throws SQLException {
		try (PreparedStatement insert = connection
			.prepareStatement("insert into raw_inbox (message_id, stream, topic, payload) "
					+ "select u.id, u.stream, 'orders', u.payload from unnest(?, ?, ?) u(id, stream, payload)")) {
			insert.setArray(1, connection.createArrayOf("uuid", ids));
			insert.setArray(2, connection.createArrayOf("text", payloads.stream().map(Payload::stream).toArray()));
			insert.setArray(3,
					connection.createArrayOf("text", payloads.stream().map(this.mapper::writeValueAsString).toArray()));
			return insert.executeUpdate();
		}
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.stopped = false;
		this.thread = new Thread(() -> run(delivered), "raw-inbox");
		this.thread.start();
	}

	private void run(Consumer<Payload> delivered) {
		ExecutorService workers = Executors.newFixedThreadPool(THREADS);
		try {
			while (!this.stopped) {
				List<Callable<Integer>> shares = read().stream()
					.collect(Collectors.groupingBy((row) -> Math.floorMod(row.payload().stream().hashCode(), THREADS)))
					.values()
					.stream()
					.map((share) -> (Callable<Integer>) () -> handle(share, delivered))
					.toList();
				for (Future<Integer> share : workers.invokeAll(shares)) {
					share.get();
				}
				if (shares.isEmpty()) {
					this.wake.tryAcquire(10, TimeUnit.MILLISECONDS);
				}
				this.wake.drainPermits();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The raw loop has failed", ex);
		}
		finally {
			workers.shutdown();
		}
	}

	private List<Row> read() {
		return this.jdbc.query(
				"select id, message_id, stream, topic, payload from raw_inbox order by id limit " + READ_AT_ONCE,
				(row, number) -> new Row(row.getLong(1), this.mapper.readValue(row.getString(5), Payload.class)));
	}

	private int handle(List<Row> share, Consumer<Payload> delivered) {
		for (int from = 0; from < share.size(); from += BATCH) {
			List<Row> batch = share.subList(from, Math.min(from + BATCH, share.size()));
			this.transactions.executeWithoutResult((status) -> {
				for (Row row : batch) {
					this.business.handle(row.payload());
					delivered.accept(row.payload());
				}
				Object[] ids = batch.stream().map(Row::id).toArray();
				this.jdbc.update("delete from raw_inbox where id = any (?)",
						(statement) -> statement.setArray(1, statement.getConnection().createArrayOf("bigint", ids)));
			});
		}
		return share.size();
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

	private record Row(long id, Payload payload) {
	}

}
