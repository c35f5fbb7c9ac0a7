package io.whizbang.benchmarks.peer;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.benchmarks.Payload;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of JobRunr's open-source edition. It does not join the caller's transaction, so
 * that a business row and its job are two commits. Five seconds is the shortest interval
 * between polls that it allows with SQL.
 */
final class JobRunrPeer implements Peer {

	private static final int TUNED_WORKERS = 32;

	private final Profile profile;

	private final HikariDataSource dataSource;

	private final StorageProvider storage;

	private final JsonMapper mapper = new Jackson3JsonMapper();

	private final JobActivator activator;

	private final JobRequestScheduler scheduler;

	private final Sink sink = new Sink();

	private @Nullable BackgroundJobServer server;

	JobRunrPeer(String url, Profile profile) {
		this.profile = profile;
		this.dataSource = Pools.create(url);
		this.storage = new PostgresStorageProvider(this.dataSource);
		OrderHandler handler = new OrderHandler(this.sink);
		this.activator = new JobActivator() {
			@Override
			public <T> T activateJob(Class<T> type) {
				return type.cast(handler);
			}
		};
		this.scheduler = JobRunr.configure()
			.useJsonMapper(this.mapper)
			.useStorageProvider(this.storage)
			.useJobActivator(this.activator)
			.initialize()
			.getJobRequestScheduler();
	}

	@Override
	public String name() {
		return "jobrunr";
	}

	@Override
	public String version() {
		return Versions.of(JobRunr.class);
	}

	@Override
	public String settings() {
		return ((this.profile == Profile.TUNED) ? TUNED_WORKERS + " workers, poll 5 s (the shortest it allows)"
				: "defaults (poll 15 s)") + "; two commits, it does not join the caller's transaction";
	}

	@Override
	public boolean keepsOrder() {
		return false;
	}

	@Override
	public List<String> tables() {
		return List.of("jobrunr_jobs");
	}

	@Override
	public DataSource dataSource() {
		return this.dataSource;
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		this.scheduler.enqueue(new Order(payload));
	}

	@Override
	public void load(List<Payload> payloads) {
		this.scheduler.enqueue(payloads.stream().map(Order::new));
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.sink.open(delivered);
		BackgroundJobServerConfiguration configuration = BackgroundJobServerConfiguration
			.usingStandardBackgroundJobServerConfiguration()
			.andInterruptJobsAwaitDurationOnStopBackgroundJobServer(Duration.ofSeconds(2));
		if (this.profile == Profile.TUNED) {
			configuration.andWorkerCount(TUNED_WORKERS).andPollInterval(Duration.ofSeconds(5));
		}
		BackgroundJobServer started = new BackgroundJobServer(this.storage, this.mapper, this.activator, configuration);
		started.start();
		this.server = started;
	}

	@Override
	public void stop() {
		this.sink.close();
		BackgroundJobServer running = this.server;
		this.server = null;
		if (running != null) {
			running.stop();
		}
	}

	@Override
	public void close() {
		stop();
		this.storage.close();
		this.dataSource.close();
	}

	/** What is stored. */
	public static final class Order implements JobRequest {

		private Payload payload;

		/** For JSON. */
		@SuppressWarnings("NullAway.Init")
		Order() {
		}

		Order(Payload payload) {
			this.payload = payload;
		}

		public Payload getPayload() {
			return this.payload;
		}

		@Override
		public Class<OrderHandler> getJobRequestHandler() {
			return OrderHandler.class;
		}

	}

	/** What is called for each job. */
	public static final class OrderHandler implements JobRequestHandler<Order> {

		private final Sink sink;

		OrderHandler(Sink sink) {
			this.sink = sink;
		}

		@Override
		public void run(Order order) {
			this.sink.accept(order.getPayload());
		}

	}

}
