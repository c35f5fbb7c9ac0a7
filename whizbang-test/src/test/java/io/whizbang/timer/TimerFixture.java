package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Timers in the test class's database, a clock that stands still, and an instance that
 * delivers what is due when it is told to.
 */
final class TimerFixture implements WorkSignal {

	static final String SCHEMA = "whizbang";

	final PostgresDatabase database;

	final JdbcTemplate jdbc;

	final DatabaseClock clock;

	final AtomicLong nanos = new AtomicLong();

	final List<Collection<Integer>> signals = new ArrayList<>();

	final JdbcTimers timers;

	private final JdbcWorkCoordinator coordinator;

	private final UUID instance;

	private @Nullable String memory;

	TimerFixture(PostgresDatabase database) {
		this(database, database.dataSource());
	}

	TimerFixture(PostgresDatabase database, DataSource dataSource) {
		this.database = database;
		this.jdbc = new JdbcTemplate(database.dataSource());
		install(database);
		this.clock = new DatabaseClock(database.dataSource());
		this.clock.freeze();
		this.timers = timers(dataSource, this.clock, this);
		this.coordinator = new JdbcWorkCoordinator(database.dataSource(), SCHEMA, CoordinatorSettings.defaults(),
				this.clock);
		this.instance = this.coordinator.register(new InstanceInfo("test", "localhost", 1, Map.of()),
				Set.of(Queue.OUTBOX));
	}

	static void install(PostgresDatabase database) {
		JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		jdbc.execute("""
				delete from whizbang.wh_messages;
				delete from whizbang.wh_scheduled;
				delete from whizbang.wh_claims;
				delete from whizbang.wh_service_instances;
				update whizbang.wh_epoch set epoch = epoch + 1, members = '{}', low = 0, claim_low = 0""");
	}

	private JdbcTimers timers(DataSource dataSource, Supplier<@Nullable Instant> clock, WorkSignal signal) {
		return new JdbcTimers(new JdbcTimerStore(dataSource, SCHEMA, clock), new JsonMessageCodec(JsonMapper.shared()),
				TopicCheck.NONE, MessageObservations.NONE, TimerSettings.defaults(), signal, WorkListener.NONE,
				this.nanos::get);
	}

	/** Timers by the database's own clock. */
	static JdbcTimers timers(DataSource dataSource, WorkSignal signal) {
		return new JdbcTimers(new JdbcTimerStore(dataSource, SCHEMA), new JsonMessageCodec(JsonMapper.shared()),
				TopicCheck.NONE, MessageObservations.NONE, TimerSettings.defaults(), signal);
	}

	/** Lets time pass for the database and for this process. */
	void pass(Duration time) {
		this.clock.advance(time);
		this.nanos.addAndGet(time.toNanos());
	}

	WorkBatch claim() {
		WorkBatch batch = this.coordinator.exchange(this.instance, Queue.OUTBOX, WorkReport.nothing(),
				WorkRequest.upTo(1000, this.memory));
		this.memory = batch.memory();
		return batch;
	}

	/** Delivers all that is due. */
	List<Work> fire() {
		List<Work> fired = new ArrayList<>();
		WorkBatch batch = claim();
		while (batch.claim() != null || batch.more()) {
			fired.addAll(batch.work());
			if (batch.claim() != null) {
				this.coordinator.exchange(this.instance, Queue.OUTBOX,
						new WorkReport(List.of(batch.claim()), Map.of(), List.of(), null, List.of()),
						WorkRequest.nothing(this.memory));
			}
			batch = claim();
		}
		return fired;
	}

	/** Delivers all that is due, and says what it was. */
	List<String> payloads() {
		return fire().stream().map((work) -> work.envelope().payload()).toList();
	}

	@Override
	public void raise(Queue queue, Collection<Integer> partitionHashes) {
		this.signals.add(partitionHashes);
	}

}
