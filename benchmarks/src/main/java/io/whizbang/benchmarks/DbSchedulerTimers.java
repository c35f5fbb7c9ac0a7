package io.whizbang.benchmarks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * db-scheduler with the settings that it recommends for high throughput: lock-and-fetch,
 * fetching up to 20 times as many as it has threads, priorities switched off as they are
 * by default, and a poll of 20 ms instead of ten seconds, so that lateness is not that of
 * its poll alone. Its table and indexes are those of its documentation; payloads are
 * plain text.
 */
final class DbSchedulerTimers implements TimerContender {

	private static final int THREADS = 20;

	private final DataSource dataSource;

	private final SchedulerClient client;

	private final OneTimeTask<String> task = task((due) -> {
	});

	private @Nullable Scheduler scheduler;

	DbSchedulerTimers(DataSource dataSource) {
		this.dataSource = dataSource;
		new JdbcTemplate(dataSource).execute("""
				create table scheduled_tasks (
				    task_name text not null,
				    task_instance text not null,
				    task_data bytea,
				    execution_time timestamp with time zone not null,
				    picked boolean not null,
				    picked_by text,
				    last_success timestamp with time zone,
				    last_failure timestamp with time zone,
				    consecutive_failures int,
				    last_heartbeat timestamp with time zone,
				    version bigint not null,
				    priority smallint,
				    primary key (task_name, task_instance));
				create index execution_time_idx on scheduled_tasks (execution_time);
				create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)""");
		this.client = SchedulerClient.Builder.create(dataSource, this.task).serializer(new Text()).build();
	}

	private static OneTimeTask<String> task(Consumer<Instant> fired) {
		return Tasks.oneTime("timers", String.class)
			.execute((instance, context) -> fired.accept(Instant.parse(instance.getData())));
	}

	@Override
	public String name() {
		return "db-scheduler";
	}

	@Override
	public void schedule(List<Instant> dues) {
		List<TaskInstance<?>> instances = dues.stream()
			.<TaskInstance<?>>map((due) -> this.task.instance(UUID.randomUUID().toString(), due.toString()))
			.toList();
		this.client.scheduleBatch(instances, dues.get(0));
	}

	@Override
	public void start(Consumer<Instant> fired) {
		Scheduler started = Scheduler.create(this.dataSource, task(fired))
			.threads(THREADS)
			.pollUsingLockAndFetch(4.0, 20.0)
			.pollingInterval(Duration.ofMillis(20))
			.serializer(new Text())
			.build();
		started.start();
		this.scheduler = started;
	}

	@Override
	public void stop() {
		if (this.scheduler != null) {
			this.scheduler.stop();
			this.scheduler = null;
		}
	}

	@Override
	public void close() {
		stop();
	}

	/** Java serialization would be an unfair default. */
	private static final class Text implements Serializer {

		@Override
		public byte[] serialize(Object data) {
			return (data != null) ? data.toString().getBytes(StandardCharsets.UTF_8) : new byte[0];
		}

		@Override
		public <T> T deserialize(Class<T> type, byte[] bytes) {
			return type.cast(new String(bytes, StandardCharsets.UTF_8));
		}

	}

}
