package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.JdbcOutbox;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.WorkSignal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database without jobs, a clock that can be set, and instances of applications.
 */
final class JobFixture implements AutoCloseable {

	static final String SCHEMA = SchemaSettings.defaults().name();

	static final JobSettings SETTINGS = JobSettings.defaults()
		.withPoll(Duration.ofMillis(100), Duration.ofMillis(100))
		.withRetry(new RetryPolicy(3, Duration.ofMillis(30), 2, Duration.ofMillis(100), 0, Set.of()));

	final PostgresDatabase database;

	final JdbcTemplate jdbc;

	final DatabaseClock clock;

	private final List<JobInstance> instances = new CopyOnWriteArrayList<>();

	JobFixture(PostgresDatabase database) {
		this.database = database;
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.jdbc = database.jdbc();
		this.jdbc.execute("truncate whizbang.wh_jobs, whizbang.wh_job_runs, whizbang.wh_outbox");
		this.clock = new DatabaseClock(database.unpooledDataSource());
	}

	/** An instance that works when told to, by the clock of the test. */
	JobInstance manual(JobHandler<?>... handlers) {
		return new JobInstance(this, "app", SETTINGS, this.clock, Runnable::run, null, handlers);
	}

	/** An instance that is started, and goes by the database's clock. */
	JobInstance start(JobHandler<?>... handlers) {
		return start("app", SETTINGS, handlers);
	}

	JobInstance start(String service, JobSettings settings, JobHandler<?>... handlers) {
		JobInstance instance = prepare(service, settings, handlers);
		instance.worker.start();
		return instance;
	}

	JobInstance prepare(String service, JobSettings settings, JobHandler<?>... handlers) {
		Supplier<@Nullable Instant> real = () -> null;
		return new JobInstance(this, service, settings, real, null, null, handlers);
	}

	void add(JobInstance instance) {
		this.instances.add(instance);
	}

	List<String> statuses(String job) {
		return this.jdbc.queryForList(
				"""
						select case status when 0 then 'pending' when 1 then 'running' when 2 then 'retrying' when 3 then 'succeeded'
						    when 4 then 'failed' else 'skipped' end from whizbang.wh_job_runs where job_name = ? order by run_id""",
				String.class, job);
	}

	List<Instant> times(String job) {
		return new ArrayList<>(this.jdbc.query(
				"select scheduled_at from whizbang.wh_job_runs where job_name = ? and status <> 5 order by run_id",
				(rows, number) -> rows.getTimestamp(1).toInstant(), job));
	}

	int count(String sql, Object... arguments) {
		Integer count = this.jdbc.queryForObject(sql, Integer.class, arguments);
		return (count != null) ? count : 0;
	}

	static JsonMessageCodec codec() {
		return new JsonMessageCodec(JsonMapper.shared());
	}

	JdbcOutbox outbox(DataSource dataSource, TopicCheck check) {
		return new JdbcOutbox(
				new TransactionalStore(dataSource, new JdbcMessageStore(SCHEMA), Queue.OUTBOX, true, WorkSignal.NONE),
				codec(), check, MessageObservations.NONE);
	}

	static InstanceInfo info(String service) {
		return new InstanceInfo(service, "localhost", ProcessHandle.current().pid(), Map.of());
	}

	@Override
	public void close() {
		this.instances.forEach(JobInstance::close);
	}

}
