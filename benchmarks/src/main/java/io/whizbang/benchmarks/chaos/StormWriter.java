package io.whizbang.benchmarks.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import io.whizbang.event.EventCodec;
import io.whizbang.event.EventMetadataSource;
import io.whizbang.event.EventSignal;
import io.whizbang.event.EventStore;
import io.whizbang.event.EventStoreSettings;
import io.whizbang.event.EventTypes;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.event.JdbcEventStore;
import io.whizbang.event.StreamAppend;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.message.StreamId;
import io.whizbang.observation.EventObservations;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Appends events in transactions that take their id early, commit late, or not at all.
 */
final class StormWriter implements Runnable {

	/** So many events a transaction has on average. */
	static final int EVENTS = 6;

	static final EventTypes TYPES = EventTypes.of(Happened.class);

	static final EventCodec CODEC = new EventCodec(TYPES, List.of(),
			new JsonMessageCodec(JsonMapper.builder().build()));

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	private final EventStore store;

	private final PerspectiveStormSettings settings;

	private final Random random;

	private final AtomicLong committed;

	private final BooleanSupplier goesOn;

	StormWriter(DataSource dataSource, EventSignal signal, PerspectiveStormSettings settings, Random random,
			AtomicLong committed, BooleanSupplier goesOn) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.store = new JdbcEventStore(dataSource, StormDatabase.SCHEMA, CODEC, EventStoreSettings.defaults(),
				EventMetadataSource.NONE, null, EventObservations.NONE, signal);
		this.settings = settings;
		this.random = random;
		this.committed = committed;
		this.goesOn = goesOn;
	}

	@Override
	public void run() {
		long next = System.nanoTime();
		while (this.goesOn.getAsBoolean()) {
			LockSupport.parkNanos(next - System.nanoTime());
			next = Math.max(next, System.nanoTime() - this.settings.pause()) + this.settings.pause();
			try {
				Integer count = this.transactions.<Integer>execute(this::transact);
				this.committed.addAndGet((count != null) ? count : 0);
			}
			catch (DataAccessException | TransactionException ex) {
				// The database was ended, or the session.
				pause(100);
			}
		}
	}

	private int transact(TransactionStatus status) {
		double dice = this.random.nextDouble();
		if (dice < 0.3) {
			this.jdbc.queryForObject("select pg_current_xact_id()::text", String.class);
			pause((dice < 0.005) ? 3000 : 40);
		}
		if (dice > 0.98) {
			Object before = status.createSavepoint();
			this.store.appendAll(appends());
			status.rollbackToSavepoint(before);
		}
		List<StreamAppend> appends = appends();
		this.store.appendAll(appends);
		if (this.random.nextInt(4) == 0) {
			pause((this.random.nextInt(100) == 0) ? 1000 : 20);
		}
		if (dice > 0.9 && dice < 0.95) {
			status.setRollbackOnly();
			return 0;
		}
		return appends.stream().mapToInt((append) -> append.events().size()).sum();
	}

	private List<StreamAppend> appends() {
		Map<Integer, List<Happened>> streams = new TreeMap<>();
		for (int i = this.random.nextInt(2 * EVENTS - 1); i >= 0; i--) {
			int stream = (streams.size() < 3) ? this.random.nextInt(this.settings.streams())
					: streams.keySet().iterator().next();
			streams.computeIfAbsent(stream, (key) -> new ArrayList<>())
				.add(new Happened(this.random.nextInt(1_000_000)));
		}
		return streams.entrySet()
			.stream()
			.map((entry) -> StreamAppend.of(StreamId.of("storm-" + entry.getKey()), ExpectedVersion.any(),
					entry.getValue()))
			.toList();
	}

	private void pause(int millis) {
		LockSupport.parkNanos(Duration.ofMillis(1 + this.random.nextInt(millis)).toNanos());
	}

}
