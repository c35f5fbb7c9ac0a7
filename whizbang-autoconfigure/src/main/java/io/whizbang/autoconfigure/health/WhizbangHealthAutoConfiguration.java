package io.whizbang.autoconfigure.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.whizbang.autoconfigure.FanoutAutoConfiguration;
import io.whizbang.autoconfigure.InboxAutoConfiguration;
import io.whizbang.autoconfigure.JobAutoConfiguration;
import io.whizbang.autoconfigure.JoinAutoConfiguration;
import io.whizbang.autoconfigure.LeaseAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.PerspectiveAutoConfiguration;
import io.whizbang.autoconfigure.QueueAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangDatabase;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.JdbcQueueStatistics;
import io.whizbang.coordinator.QueueStatistics;
import io.whizbang.fanout.FanoutWorker;
import io.whizbang.fanout.Fanouts;
import io.whizbang.handler.TopicWatch;
import io.whizbang.job.JobWorker;
import io.whizbang.job.Jobs;
import io.whizbang.join.JdbcJoinStore;
import io.whizbang.join.JoinWorker;
import io.whizbang.lease.JdbcLeases;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.perspective.PerspectiveHandlers;
import io.whizbang.perspective.PerspectiveWorker;
import io.whizbang.perspective.Perspectives;
import io.whizbang.queue.QueueWorker;
import io.whizbang.queue.Queues;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.work.Queue;
import io.whizbang.worker.Worker;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the health component
 * {@code whizbang}.
 */
@AutoConfiguration(
		after = { WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class, InboxAutoConfiguration.class,
				PerspectiveAutoConfiguration.class, JobAutoConfiguration.class, LeaseAutoConfiguration.class,
				FanoutAutoConfiguration.class, JoinAutoConfiguration.class, QueueAutoConfiguration.class })
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(SchemaInstaller.class)
public final class WhizbangHealthAutoConfiguration {

	/** Nested, because its condition is a class that an application may not have. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabledHealthIndicator("whizbang")
	@EnableConfigurationProperties(HealthProperties.class)
	static class ContributorConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = { "whizbangHealthIndicator", "whizbangHealthContributor" })
		CompositeHealthContributor whizbangHealthContributor(WhizbangDatabase database, SchemaInstaller installer,
				CoordinatorSettings settings, HealthProperties limits, ObjectProvider<Worker> workers,
				ObjectProvider<TopicWatch> topics, ObjectProvider<JdbcQueueStatistics> statistics,
				ObjectProvider<OutboxPublisher> publisher, ObjectProvider<PerspectiveWorker> perspectiveWorker,
				ObjectProvider<Perspectives> perspectives, ObjectProvider<PerspectiveHandlers> handlers,
				ObjectProvider<JobWorker> jobWorker, ObjectProvider<Jobs> jobs, ObjectProvider<JdbcLeases> leases,
				ObjectProvider<FanoutWorker> fanoutWorker, ObjectProvider<Fanouts> fanouts,
				ObjectProvider<JoinWorker> joinWorker, ObjectProvider<JdbcJoinStore> joins,
				ObjectProvider<QueueWorker> queueWorker, ObjectProvider<Queues> queues) {
			Map<String, HealthContributor> parts = new LinkedHashMap<>();
			parts.put("schema", new SchemaHealthIndicator(installer, database.schema()));
			// An idle worker speaks with the database once per heartbeat.
			Duration longestSilence = settings.heartbeat().multipliedBy(3);
			workers.orderedStream().forEach((worker) -> {
				Queue queue = worker.pump().queue();
				parts.put(queue.label(),
						new WorkerHealthIndicator(worker::status, () -> unroutableTopics(queue, topics),
								() -> statistics(queue, statistics), longestSilence, limits));
			});
			perspectiveWorker.ifAvailable((worker) -> parts.put(Queue.PERSPECTIVES.label(),
					new PerspectiveHealthIndicator(worker, perspectives.getObject(), handlers.getObject(), limits)));
			leases.ifAvailable((held) -> parts.put("leases", new LeaseHealthIndicator(held)));
			jobWorker.ifAvailable(
					(worker) -> parts.put(JobWorker.LABEL, new JobHealthIndicator(worker, jobs.getObject(), limits)));
			fanoutWorker.ifAvailable((worker) -> parts.put(FanoutWorker.LABEL,
					new FanoutHealthIndicator(worker, fanouts.getObject(), limits)));
			joinWorker.ifAvailable((worker) -> parts.put(JoinWorker.LABEL,
					new JoinHealthIndicator(worker, joins.getObject(), limits)));
			queueWorker.ifAvailable((worker) -> parts.put(QueueWorker.LABEL,
					new QueueHealthIndicator(worker, queues.getObject(), limits)));
			publisher.ifAvailable((outbox) -> addTransports(parts, outbox));
			return CompositeHealthContributor.fromMap(parts);
		}

		private static void addTransports(Map<String, HealthContributor> parts, OutboxPublisher publisher) {
			Map<String, HealthContributor> transports = new LinkedHashMap<>();
			publisher.transports().forEach((status) -> {
				String name = status.transport();
				transports.put(name, new TransportHealthIndicator(() -> publisher.transport(name)));
			});
			if (!transports.isEmpty()) {
				parts.put("transports", CompositeHealthContributor.fromMap(transports));
			}
		}

		private static @Nullable QueueStatistics statistics(Queue queue,
				ObjectProvider<JdbcQueueStatistics> statistics) {
			return statistics.stream()
				.filter((reader) -> reader.queue() == queue)
				.findFirst()
				.map(JdbcQueueStatistics::get)
				.orElse(null);
		}

		private static Set<String> unroutableTopics(Queue queue, ObjectProvider<TopicWatch> topics) {
			return topics.stream()
				.filter((watch) -> watch.queue() == queue)
				.findFirst()
				.map(TopicWatch::unroutableTopics)
				.orElse(Set.of());
		}

	}

}
