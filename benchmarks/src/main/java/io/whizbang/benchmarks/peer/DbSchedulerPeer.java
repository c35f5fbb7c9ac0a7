package io.whizbang.benchmarks.peer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.benchmarks.DbSchedulerTable;
import io.whizbang.benchmarks.Payload;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * One-time tasks of db-scheduler that are due at once. Tuned, threads and limits are the
 * first configuration of its own benchmark, and the scheduler is told to look after each
 * commit, as its README suggests for tasks scheduled within a transaction.
 */
final class DbSchedulerPeer implements Peer {

	private final Profile profile;

	private final HikariDataSource dataSource;

	private final SchedulerClient client;

	private final Sink sink = new Sink();

	private final OneTimeTask<Payload> task = Tasks.oneTime("orders", Payload.class)
		.execute((instance, context) -> this.sink.accept(instance.getData()));

	private @Nullable Scheduler scheduler;

	DbSchedulerPeer(String url, Profile profile) {
		this.profile = profile;
		this.dataSource = Pools.create(url);
		DbSchedulerTable.create(this.dataSource);
		this.client = SchedulerClient.Builder.create(new TransactionAwareDataSourceProxy(this.dataSource), this.task)
			.serializer(new Json())
			.build();
	}

	@Override
	public String name() {
		return "db-scheduler";
	}

	@Override
	public String version() {
		return Versions.of(Scheduler.class);
	}

	@Override
	public String settings() {
		return (this.profile == Profile.TUNED)
				? "20 threads, lock-and-fetch 4.0/20.0 (performance section of its README), poll 100 ms, "
						+ "triggerCheckForDueExecutions after commit, JSON"
				: "defaults (10 threads, fetch, poll 10 s), JSON";
	}

	@Override
	public boolean keepsOrder() {
		return false;
	}

	@Override
	public List<String> tables() {
		return List.of("scheduled_tasks");
	}

	@Override
	public DataSource dataSource() {
		return this.dataSource;
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		this.client.scheduleIfNotExists(instance(payload), Instant.now());
	}

	@Override
	public void load(List<Payload> payloads) {
		this.client.scheduleBatch(payloads.stream().<TaskInstance<?>>map(this::instance).toList(), Instant.now());
	}

	private TaskInstance<Payload> instance(Payload payload) {
		return this.task.instance(UUID.randomUUID().toString(), payload);
	}

	@Override
	public void committed() {
		Scheduler running = this.scheduler;
		if (running != null && this.profile == Profile.TUNED) {
			running.triggerCheckForDueExecutions();
		}
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.sink.open(delivered);
		SchedulerBuilder builder = Scheduler.create(this.dataSource, this.task).serializer(new Json());
		if (this.profile == Profile.TUNED) {
			builder.threads(20).pollUsingLockAndFetch(4.0, 20.0).pollingInterval(Duration.ofMillis(100));
		}
		Scheduler started = builder.build();
		started.start();
		this.scheduler = started;
	}

	@Override
	public void stop() {
		this.sink.close();
		Scheduler running = this.scheduler;
		this.scheduler = null;
		if (running != null) {
			running.stop();
		}
	}

	@Override
	public void close() {
		stop();
		this.dataSource.close();
	}

	/** Its own serializer for JSON is for an older Jackson. */
	private static final class Json implements Serializer {

		private final JsonMapper mapper = JsonMapper.builder().build();

		@Override
		public byte[] serialize(Object data) {
			return this.mapper.writeValueAsBytes(data);
		}

		@Override
		public <T> T deserialize(Class<T> type, byte[] bytes) {
			return this.mapper.readValue(bytes, type);
		}

	}

}
