package io.whizbang.autoconfigure.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.control.Throughput;
import io.whizbang.coordinator.JdbcQueueStatistics;
import io.whizbang.coordinator.QueueStatistics;
import io.whizbang.fanout.FanoutTopic;
import io.whizbang.fanout.FanoutWorker;
import io.whizbang.fanout.Fanouts;
import io.whizbang.job.JobStatus;
import io.whizbang.job.JobWorker;
import io.whizbang.job.Jobs;
import io.whizbang.join.JdbcJoinStore;
import io.whizbang.join.JoinCount;
import io.whizbang.join.JoinWorker;
import io.whizbang.lease.Leases;
import io.whizbang.observation.RecentReading;
import io.whizbang.perspective.PerspectiveHandlers;
import io.whizbang.perspective.PerspectiveStatus;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.perspective.Perspectives;
import io.whizbang.queue.QueueTotals;
import io.whizbang.queue.QueueWorker;
import io.whizbang.queue.Queues;
import io.whizbang.timer.PendingTimer;
import io.whizbang.timer.Timers;
import io.whizbang.work.Queue;
import io.whizbang.worker.Pausable;
import io.whizbang.worker.Worker;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * The lines of the overview, one for each feature that is there.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnOverviewCondition.class)
class OverviewConfiguration {

	private static final int MANY = 1000;

	private static final String AWAY = "The database does not answer";

	/** There is nobody here to work for. */
	private static final String UNUSED = "unused";

	@Bean
	@ConditionalOnMissingBean
	Throughput whizbangThroughput() {
		return new Throughput();
	}

	@Bean
	RecentWork whizbangRecentWork(Throughput throughput) {
		return new RecentWork(throughput);
	}

	@Bean
	@Order(10)
	@ConditionalOnBean(name = "whizbangOutboxStatistics")
	OverviewContributor whizbangOutboxOverview(ObjectProvider<JdbcQueueStatistics> statistics,
			ObjectProvider<Worker> workers, Throughput throughput) {
		return () -> queue(Queue.OUTBOX, statistics, workers, throughput);
	}

	@Bean
	@Order(20)
	@ConditionalOnBean(name = "whizbangInboxStatistics")
	OverviewContributor whizbangInboxOverview(ObjectProvider<JdbcQueueStatistics> statistics,
			ObjectProvider<Worker> workers, Throughput throughput) {
		return () -> queue(Queue.INBOX, statistics, workers, throughput);
	}

	private static OverviewLine queue(Queue queue, ObjectProvider<JdbcQueueStatistics> statistics,
			ObjectProvider<Worker> workers, Throughput throughput) {
		String state = workers.stream()
			.filter((worker) -> worker.pump().queue() == queue)
			.map(Worker::state)
			.findFirst()
			.orElse("absent");
		OverviewLine.Recent recent = recent(throughput, queue);
		QueueStatistics found = statistics.stream()
			.filter((reader) -> reader.queue() == queue)
			.findFirst()
			.map(JdbcQueueStatistics::get)
			.orElse(null);
		if (found == null) {
			return new OverviewLine(queue.label(), state, null, null, null, null, recent, AWAY, Map.of());
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("ready", found.ready());
		details.put("waiting", found.waiting());
		details.put("parked", found.parked());
		details.put("scheduled", found.scheduled());
		return new OverviewLine(queue.label(), state, (long) found.ready() + found.waiting() + found.parked(),
				OverviewLine.millis(found.oldest()), found.claims(), found.deadLetters(), recent, null, details);
	}

	@Bean
	@Order(30)
	@ConditionalOnBean(Perspectives.class)
	OverviewContributor whizbangPerspectivesOverview(Perspectives perspectives,
			ObjectProvider<PerspectiveWorker> worker, ObjectProvider<PerspectiveHandlers> handlers,
			Throughput throughput) {
		return () -> {
			List<PerspectiveStatus> runs = perspectives.status();
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("perspectives", runs.size());
			details.put("building",
					runs.stream().filter((run) -> run.state() == PerspectiveStatus.State.BUILDING).count());
			details.put("retrying", runs.stream().mapToInt(PerspectiveStatus::retrying).sum());
			return new OverviewLine(Queue.PERSPECTIVES.label(),
					handlers.stream().allMatch(PerspectiveHandlers::isEmpty) ? UNUSED : state(worker.getIfAvailable()),
					runs.stream().mapToLong(PerspectiveStatus::behind).max().orElse(0), null,
					runs.stream().mapToInt(PerspectiveStatus::held).sum(),
					runs.stream().mapToInt(PerspectiveStatus::dead).sum(), recent(throughput, Queue.PERSPECTIVES), null,
					details);
		};
	}

	@Bean
	@Order(40)
	@ConditionalOnBean(Timers.class)
	OverviewContributor whizbangTimersOverview(Timers timers) {
		return () -> {
			List<PendingTimer> first = timers.list(null, null, 1).timers();
			return OverviewLine.of("timers", "ready", (long) timers.count(QueueStatistics.LIMIT),
					first.isEmpty() ? Map.of() : Map.of("nextDue", first.get(0).due()));
		};
	}

	@Bean
	@Order(50)
	@ConditionalOnBean(Jobs.class)
	OverviewContributor whizbangJobsOverview(Jobs jobs, ObjectProvider<JobWorker> worker) {
		return () -> {
			List<JobStatus> all = jobs.list(null, MANY);
			long failing = all.stream().filter((job) -> job.failing() || job.problem() != null).count();
			return OverviewLine
				.of(JobWorker.LABEL, state(worker.getIfAvailable()), all.stream().mapToLong(JobStatus::openRuns).sum(),
						Map.of("jobs", all.size(), "failing", failing))
				.problem((failing > 0) ? "%d of %d jobs fail".formatted(failing, all.size()) : null);
		};
	}

	@Bean
	@Order(60)
	@ConditionalOnBean(Fanouts.class)
	OverviewContributor whizbangFanoutsOverview(Fanouts fanouts, ObjectProvider<FanoutWorker> worker) {
		return () -> {
			List<FanoutTopic> all = fanouts.list();
			long failing = all.stream().filter((fanout) -> fanout.failures() > 0).count();
			FanoutWorker running = worker.getIfAvailable();
			return OverviewLine
				.of(FanoutWorker.LABEL, (running != null && !running.hasPlanners()) ? UNUSED : state(running), null,
						Map.of("fanouts", all.size(), "failing", failing))
				.problem((failing > 0) ? "%d of %d fan-outs fail".formatted(failing, all.size()) : null);
		};
	}

	@Bean
	@Order(65)
	@ConditionalOnBean(JdbcJoinStore.class)
	OverviewContributor whizbangJoinsOverview(JdbcJoinStore store, ObjectProvider<JoinWorker> worker) {
		RecentReading<JoinCount> counts = new RecentReading<>("how many joins are open",
				() -> store.count(QueueStatistics.LIMIT));
		return () -> {
			JoinWorker running = worker.getIfAvailable();
			int stuck = (running != null) ? running.stuck().size() : 0;
			String state = (running == null) ? "absent" : running.isRunning() ? "running" : "stopped";
			JoinCount count = counts.get();
			if (count == null) {
				return OverviewLine.of(JoinWorker.LABEL, state, null, Map.of("stuck", stuck)).problem(AWAY);
			}
			return OverviewLine
				.of(JoinWorker.LABEL, state, (long) count.open(),
						Map.of("stuck", stuck, "uncountedReports", count.reports()))
				.problem((stuck > 0) ? "%d joins are stuck: the outbox refuses what follows".formatted(stuck) : null);
		};
	}

	@Bean
	@Order(67)
	@ConditionalOnBean(Queues.class)
	OverviewContributor whizbangQueuesOverview(Queues queues, ObjectProvider<QueueWorker> worker,
			Throughput throughput) {
		RecentReading<QueueTotals> totals = new RecentReading<>("how work queues stand", queues::totals);
		return () -> {
			QueueWorker running = worker.getIfAvailable();
			String state = (running == null) ? "absent"
					: running.isRunning() ? "running" : running.hasConsumers() ? "stopped" : UNUSED;
			OverviewLine.Recent recent = recent(throughput, Queue.QUEUES);
			QueueTotals all = totals.get();
			if (all == null) {
				return new OverviewLine(QueueWorker.LABEL, state, null, null, null, null, recent, AWAY, Map.of());
			}
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("queues", all.queues());
			details.put("paused", all.paused());
			details.put("delayed", all.delayed());
			return new OverviewLine(QueueWorker.LABEL, state, (long) all.messages(), OverviewLine.millis(all.oldest()),
					all.locked(), all.deadLetters(), recent, null, details);
		};
	}

	@Bean
	@Order(70)
	@ConditionalOnBean(Leases.class)
	OverviewContributor whizbangLeasesOverview(Leases leases) {
		return () -> OverviewLine.of("leases", "ready", null, Map.of("held", leases.list(null, MANY).size()));
	}

	private static OverviewLine.Recent recent(Throughput throughput, Queue queue) {
		return OverviewLine.Recent.of(throughput.done(queue), throughput.failed(queue));
	}

	private static String state(@Nullable Pausable worker) {
		return (worker != null) ? worker.state() : "absent";
	}

}
