package io.whizbang.process;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.job.JdbcJobStore;
import io.whizbang.job.JdbcJobs;
import io.whizbang.job.JobDefinition;
import io.whizbang.job.JobHandler;
import io.whizbang.job.JobHandlers;
import io.whizbang.job.JobListener;
import io.whizbang.job.JobParts;
import io.whizbang.job.JobSettings;
import io.whizbang.job.JobWorker;
import io.whizbang.job.Misfire;
import io.whizbang.lease.JdbcLeases;
import io.whizbang.lease.LeaseListener;
import io.whizbang.lease.LeaseSettings;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.JobObservations;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.timer.JdbcTimerStore;
import io.whizbang.timer.JdbcTimers;
import io.whizbang.timer.TimerSettings;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerSettings;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process with a wrong wall clock that delivers timers, runs jobs, and does with
 * leases, timers and jobs what applications do.
 */
final class ShiftedInstance {

	private ShiftedInstance() {
	}

	/**
	 * Starts the process.
	 * @param arguments URL and user of the database, by how much the clock is wrong, and
	 * a cron expression for Tokyo, whose times have come
	 * @throws Exception when the clock cannot be put wrong
	 */
	public static void main(String[] arguments) throws Exception {
		ShiftedClock.install(Duration.parse(arguments[2]));
		Work.start(arguments);
		ChildProcess.obey((command) -> {
		});
	}

	/** Loaded when the clock is wrong already. */
	private static final class Work {

		private static final String SCHEMA = "whizbang";

		private static final InstanceInfo INFO = new InstanceInfo("shifted", "localhost", 2, Map.of());

		static void start(String[] arguments) {
			DataSource dataSource = ChildProcess.dataSource(arguments, "shifted");
			Supplier<Instant> reference = Instant::now;
			ChildProcess.say("clock " + Instant.now());
			ChildProcess.say("clock " + reference.get());
			JdbcLeases leases = new JdbcLeases(dataSource, SCHEMA, INFO, LeaseSettings.defaults(), LeaseListener.NONE,
					null);
			ChildProcess.say("token " + leases.tryAcquire("lease", Duration.ofMinutes(10)).orElseThrow().token());
			JsonMessageCodec codec = new JsonMessageCodec(JsonMapper.shared());
			JdbcTimers timers = new JdbcTimers(new JdbcTimerStore(dataSource, SCHEMA), codec, TopicCheck.NONE,
					MessageObservations.NONE, TimerSettings.defaults(), WorkSignal.NONE);
			timers.schedule("test", "child in an hour", Duration.ofHours(1));
			deliver(dataSource, codec);
			runJobs(dataSource, codec, arguments[3]);
			ChildProcess.say("started");
		}

		private static void deliver(DataSource dataSource, JsonMessageCodec codec) {
			TopicHandlers handlers = new TopicHandlers();
			handlers.add(
					TopicHandler.of("test", String.class, (payload, envelope) -> ChildProcess.say("fired " + payload)));
			handlers.complete();
			OutboxPublisher publisher = new OutboxPublisher(new Destinations(Map.of(), null, Set.of(), handlers), codec,
					OutboxSettings.defaults(), MessageObservations.NONE);
			CoordinatorSettings rules = CoordinatorSettings.defaults();
			Membership membership = new Membership(new JdbcWorkCoordinator(dataSource, SCHEMA, rules), rules, INFO,
					Queue.OUTBOX);
			new Worker(new WorkPump(new QueueWork(Queue.OUTBOX, publisher, publisher, WorkListener.NONE), membership,
					WorkerSettings.defaults(), Executors.newCachedThreadPool(), () -> false))
				.start();
		}

		private static void runJobs(DataSource dataSource, JsonMessageCodec codec, String cron) {
			JobHandlers handlers = new JobHandlers();
			handlers.add(JobHandler.of("job", String.class, (payload, run) -> ChildProcess.say("ran " + run.job())));
			JobParts parts = new JobParts(new JdbcJobStore(dataSource, SCHEMA), handlers, codec, null,
					JobSettings.defaults(), INFO, new JobListener() {
					}, JobObservations.NONE);
			JobWorker worker = new JobWorker(parts, Executors.newCachedThreadPool(), () -> false, null);
			JdbcJobs jobs = new JdbcJobs(parts, worker);
			jobs.createOrUpdate(JobDefinition.of("hourly").handler("job").every(Duration.ofHours(1)).build());
			jobs.createOrUpdate(JobDefinition.of("often").handler("job").every(Duration.ofMillis(200)).build());
			jobs.createOrUpdate(JobDefinition.of("in Tokyo")
				.handler("job")
				.cron(cron)
				.zone("Asia/Tokyo")
				.misfire(Misfire.SKIP)
				.build());
			jobs.createOrUpdate(JobDefinition.of("triggered").handler("job").build());
			jobs.triggerNow("triggered");
			worker.start();
		}

	}

}
