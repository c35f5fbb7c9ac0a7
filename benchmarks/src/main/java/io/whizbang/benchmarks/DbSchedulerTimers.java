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

/**
 * db-scheduler with settings for high throughput: threads and limits are the first
 * configuration in the table of its README's section "Performance", priorities are
 * switched off as they are by default, and it polls every 20 ms instead of ten seconds,
 * so that lateness is not that of its poll alone. Its table and indexes are those of its
 * documentation but for the one for priorities; payloads are plain text.
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
		DbSchedulerTable.create(dataSource);
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
