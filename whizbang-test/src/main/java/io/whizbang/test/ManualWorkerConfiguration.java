package io.whizbang.test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.fanout.FanoutLifecycle;
import io.whizbang.fanout.FanoutWorker;
import io.whizbang.fanout.JdbcFanoutStore;
import io.whizbang.inbox.InboxProcessor;
import io.whizbang.inbox.JdbcHandledMessages;
import io.whizbang.job.JdbcJobStore;
import io.whizbang.job.JobLifecycle;
import io.whizbang.job.JobWorker;
import io.whizbang.join.JdbcJoinStore;
import io.whizbang.join.JoinLifecycle;
import io.whizbang.join.JoinWorker;
import io.whizbang.lease.JdbcLeaseTable;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.perspective.PerspectiveLifecycle;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.queue.JdbcQueueStore;
import io.whizbang.queue.QueueLifecycle;
import io.whizbang.queue.QueueWorker;
import io.whizbang.timer.JdbcTimerStore;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkerLifecycle;
import io.whizbang.worker.WorkerSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans behind {@link WithManualWorker}. Each takes the place of an auto-configured
 * one, or works beside it.
 */
@Configuration(proxyBeanMethods = false)
class ManualWorkerConfiguration {

	/** Starts nobody. */
	@Bean
	WorkerLifecycle whizbangWorkerLifecycle() {
		return new WorkerLifecycle(List.of(), null, null);
	}

	/** Starts nobody. */
	@Bean
	PerspectiveLifecycle whizbangPerspectiveLifecycle() {
		return new PerspectiveLifecycle(null, null);
	}

	/** Events are applied on the thread of the test. */
	@Bean(defaultCandidate = false)
	Executor whizbangPerspectivesExecutor() {
		return Runnable::run;
	}

	/** Starts nobody. */
	@Bean
	JobLifecycle whizbangJobLifecycle() {
		return new JobLifecycle(null, null);
	}

	/** Jobs run on the thread of the test. */
	@Bean(defaultCandidate = false)
	Executor whizbangJobsExecutor() {
		return Runnable::run;
	}

	@Bean
	JdbcJobStore whizbangJobStore(DataSource dataSource, @Value("${whizbang.schema.name:whizbang}") String schema,
			DatabaseClock clock) {
		return new JdbcJobStore(dataSource, schema, clock);
	}

	/** Starts nobody. */
	@Bean
	FanoutLifecycle whizbangFanoutLifecycle() {
		return new FanoutLifecycle(null, null);
	}

	/** Planners are asked on the thread of the test. */
	@Bean(defaultCandidate = false)
	Executor whizbangFanoutExecutor() {
		return Runnable::run;
	}

	@Bean
	JdbcFanoutStore whizbangFanoutStore(DataSource dataSource, @Value("${whizbang.schema.name:whizbang}") String schema,
			DatabaseClock clock) {
		return new JdbcFanoutStore(dataSource, schema, clock);
	}

	/** Starts nobody. */
	@Bean
	JoinLifecycle whizbangJoinLifecycle() {
		return new JoinLifecycle(null);
	}

	@Bean
	JdbcJoinStore whizbangJoinStore(DataSource dataSource, @Value("${whizbang.schema.name:whizbang}") String schema,
			DatabaseClock clock) {
		return new JdbcJoinStore(dataSource, schema, clock);
	}

	@Bean
	JdbcLeaseTable whizbangLeaseTable(DataSource dataSource, @Value("${whizbang.schema.name:whizbang}") String schema,
			DatabaseClock clock) {
		return new JdbcLeaseTable(dataSource, schema, clock);
	}

	@Bean
	JdbcTimerStore whizbangTimerStore(DataSource dataSource, @Value("${whizbang.schema.name:whizbang}") String schema,
			DatabaseClock clock) {
		return new JdbcTimerStore(dataSource, schema, clock);
	}

	@Bean
	QueueLifecycle whizbangQueueLifecycle() {
		return new QueueLifecycle(null, null);
	}

	/** Consumers run on the thread of the test. */
	@Bean(defaultCandidate = false)
	Executor whizbangQueuesExecutor() {
		return Runnable::run;
	}

	@Bean
	JdbcQueueStore whizbangQueueStore(DataSource dataSource, @Value("${whizbang.schema.name:whizbang}") String schema,
			DatabaseClock clock) {
		return new JdbcQueueStore(dataSource, schema, clock);
	}

	@Bean
	DatabaseClock whizbangDatabaseClock(DataSource dataSource) {
		return new DatabaseClock(dataSource);
	}

	@Bean
	JdbcWorkCoordinator whizbangWorkCoordinator(DataSource dataSource,
			@Value("${whizbang.schema.name:whizbang}") String schema, CoordinatorSettings settings,
			DatabaseClock clock) {
		return new JdbcWorkCoordinator(dataSource, schema, settings, clock);
	}

	@Bean
	JdbcHandledMessages whizbangHandledMessages(DataSource dataSource,
			@Value("${whizbang.schema.name:whizbang}") String schema, CoordinatorSettings settings,
			DatabaseClock clock) {
		return new JdbcHandledMessages(dataSource, schema, settings.debug(), clock);
	}

	@Bean
	ManualWorker whizbangManualWorker(ObjectProvider<OutboxPublisher> outbox, ObjectProvider<InboxProcessor> inbox,
			WorkCoordinator coordinator, CoordinatorSettings rules, ObjectProvider<WorkListener> listeners,
			ObjectProvider<PerspectiveWorker> perspectives, ObjectProvider<JobWorker> jobs,
			ObjectProvider<FanoutWorker> fanouts, ObjectProvider<JoinWorker> joins,
			ObjectProvider<QueueWorker> workQueues) {
		WorkListener listener = new RecordingListener(listeners.orderedStream().toList());
		List<QueueWork> queues = new ArrayList<>();
		outbox.ifAvailable((handler) -> queues.add(new QueueWork(Queue.OUTBOX, handler, handler, listener)));
		inbox.ifAvailable((handler) -> queues.add(new QueueWork(Queue.INBOX, handler, handler, listener)));
		return new ManualWorker(queues, coordinator, rules, WorkerSettings.defaults(), perspectives.getIfAvailable(),
				jobs.getIfAvailable(), fanouts.getIfAvailable(), joins.getIfAvailable(), workQueues.getIfAvailable());
	}

}
