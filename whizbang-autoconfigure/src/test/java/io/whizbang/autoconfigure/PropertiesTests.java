package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.Set;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.event.EventStoreSettings;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.fanout.FanoutSettings;
import io.whizbang.join.JoinSettings;
import io.whizbang.job.JobSettings;
import io.whizbang.lease.LeaseSettings;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.OutboxSettings.Ordering;
import io.whizbang.perspective.PerspectiveSettings;
import io.whizbang.queue.QueueSettings;
import io.whizbang.transport.rabbit.RabbitListenerSettings;
import io.whizbang.transport.rabbit.RabbitSettings;
import io.whizbang.work.RetryPolicy;
import io.whizbang.worker.WorkerSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class PropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(AllProperties.class);

	@Test
	void haveTheDefaultsOfTheSettings() {
		this.runner.run((context) -> {
			assertThat(context.getBean(CoordinatorProperties.class).toSettings())
				.isEqualTo(CoordinatorSettings.defaults());
			assertThat(context.getBean(OutboxProperties.class).toSettings()).isEqualTo(OutboxSettings.defaults());
			assertThat(context.getBean(OutboxProperties.class).worker().toSettings(Duration.ofSeconds(30)))
				.isEqualTo(WorkerSettings.defaults());
			assertThat(
					context.getBean(InboxProperties.class).toSettings(new MessageProperties(DataSize.ofKilobytes(1))))
				.isEqualTo(InboxSettings.defaults().withMaxPayloadSize(1024));
			assertThat(context.getBean(EventStoreProperties.class).toSettings())
				.isEqualTo(EventStoreSettings.defaults());
			assertThat(context.getBean(PerspectiveProperties.class).toSettings(Duration.ofSeconds(30)))
				.isEqualTo(PerspectiveSettings.defaults());
			assertThat(context.getBean(LeaseProperties.class).toSettings()).isEqualTo(LeaseSettings.defaults());
			assertThat(context.getBean(FanoutProperties.class).toSettings()).isEqualTo(FanoutSettings.defaults());
			assertThat(context.getBean(JoinProperties.class).toSettings()).isEqualTo(JoinSettings.defaults());
			assertThat(context.getBean(JobProperties.class).toSettings(Duration.ofSeconds(30)))
				.isEqualTo(JobSettings.defaults());
			assertThat(context.getBean(QueueProperties.class).toSettings(Duration.ofSeconds(30)))
				.isEqualTo(QueueSettings.defaults());
			assertThat(context.getBean(SchemaProperties.class).name()).isEqualTo("whizbang");
			assertThat(context.getBean(ListenProperties.class).enabled()).isTrue();
			assertThat(context.getBean(RabbitProperties.class).toSettings()).isEqualTo(RabbitSettings.defaults());
			assertThat(context.getBean(RabbitInboxProperties.class).toSettings()).isEmpty();
		});
	}

	@Test
	void reachTheSettings() {
		this.runner
			.withPropertyValues("whizbang.outbox.ordering=relaxed", "whizbang.outbox.strict-topics=true",
					"whizbang.outbox.routes[orders.*]=kafka", "whizbang.outbox.retry.max-attempts=3",
					"whizbang.outbox.retry.never-retry=java.lang.IllegalStateException",
					"whizbang.outbox.topic-retries[payments.*].max-attempts=7")
			.run((context) -> {
				OutboxSettings settings = context.getBean(OutboxProperties.class).toSettings();
				assertThat(settings.ordering()).isEqualTo(Ordering.RELAXED);
				assertThat(settings.strictTopics()).isTrue();
				assertThat(settings.routes()).containsEntry("orders.*", "kafka");
				RetryPolicy retry = RetryPolicy.defaults()
					.withMaxAttempts(3)
					.withNeverRetry(Set.of(IllegalStateException.class));
				assertThat(settings.retry()).isEqualTo(retry);
				assertThat(settings.topicRetries()).containsEntry("payments.*", retry.withMaxAttempts(7));
			});
	}

	@Test
	void reachTheSettingsOfWorkQueues() {
		this.runner
			.withPropertyValues("whizbang.queues.lock=5s", "whizbang.queues.max-lock=10m",
					"whizbang.queues.batch-size=7", "whizbang.queues.batch-bytes=700",
					"whizbang.queues.retry.max-attempts=3", "whizbang.queues.worker.concurrency=2",
					"whizbang.queues.worker.max-poll-interval=2s", "whizbang.queues.worker.listening-poll-interval=1m",
					"whizbang.queues.worker.drain-timeout=4s")
			.run((context) -> assertThat(context.getBean(QueueProperties.class).toSettings(Duration.ofSeconds(30)))
				.isEqualTo(new QueueSettings(Duration.ofSeconds(5), Duration.ofMinutes(10), 7, 700,
						RetryPolicy.defaults().withMaxAttempts(3), 2, Duration.ofSeconds(2), Duration.ofMinutes(1),
						Duration.ofSeconds(4))));
	}

	@Test
	void haveTheDefaultsOfListenersForEachQueue() {
		this.runner.withPropertyValues("whizbang.inbox.rabbit.listeners[0].queues=orders,payments")
			.run((context) -> assertThat(context.getBean(RabbitInboxProperties.class).toSettings())
				.containsExactly(RabbitListenerSettings.of("orders", "payments")));
	}

	@Test
	void makeRoomForThreeBatches() {
		this.runner.withPropertyValues("whizbang.outbox.worker.batch-size=50")
			.run((context) -> assertThat(
					context.getBean(OutboxProperties.class).worker().toSettings(Duration.ofSeconds(3)))
				.satisfies((settings) -> {
					assertThat(settings.prefetch()).isEqualTo(150);
					assertThat(settings.drainTimeout()).isZero();
				}));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					whizbang.schema.name=Shop                          | must be a plain lower-case identifier (a-z, 0-9, _; at most 63 characters) but is 'Shop'
					whizbang.schema.lock-timeout=0s                    | must be above 0 but is 0s
					whizbang.instance.service-name=                    | must not be blank but is ''
					whizbang.coordinator.lease=0s                      | must be above 0 but is 0s
					whizbang.coordinator.heartbeat=-1s                 | must be above 0 but is -1s
					whizbang.coordinator.dead-after=5s                 | must be above whizbang.coordinator.heartbeat (10s) but is 5s
					whizbang.coordinator.stale-after=20s               | must not be below whizbang.coordinator.dead-after (30s) but is 20s
					whizbang.coordinator.partitions=0                  | must be at least 1 but is 0
					whizbang.coordinator.max-partitions-per-instance=0 | must be at least 1 but is 0
					whizbang.outbox.unroutable-delay=0s                | must be above 0 but is 0s
					whizbang.outbox.unreachable-delay=-5s              | must be above 0 but is -5s
					whizbang.outbox.retry.max-attempts=0               | must be at least 1 but is 0
					whizbang.outbox.retry.first-delay=-1ms             | must not be negative but is -1ms
					whizbang.outbox.retry.multiplier=0.5               | must be at least 1.0 but is 0.5
					whizbang.outbox.retry.max-delay=500ms              | must not be below whizbang.outbox.retry.first-delay (1s) but is 500ms
					whizbang.outbox.retry.jitter=1.5                   | must be from 0 to below 1 but is 1.5
					whizbang.outbox.topic-retries[a.b].max-attempts=0  | must be at least 1 but is 0
					whizbang.outbox.worker.batch-size=0                | must be at least 1 but is 0
					whizbang.outbox.worker.concurrency=0               | must be at least 1 but is 0
					whizbang.outbox.worker.prefetch=-1                 | must be at least 1 but is -1
					whizbang.outbox.worker.hand-over=0                 | must be at least 1 but is 0
					whizbang.outbox.worker.handler-timeout=0s          | must be above 0 but is 0s
					whizbang.outbox.worker.max-renewals=-1             | must be at least 0 but is -1
					whizbang.outbox.worker.flush-interval=-1ms         | must not be negative but is -1ms
					whizbang.outbox.worker.partial-flush-interval=-1ms | must not be negative but is -1ms
					whizbang.outbox.worker.min-poll-interval=0s        | must be above 0 but is 0s
					whizbang.outbox.worker.max-poll-interval=10ms      | must not be below whizbang.outbox.worker.min-poll-interval (50ms) but is 10ms
					whizbang.outbox.worker.listening-poll-interval=1ms | must not be below whizbang.outbox.worker.min-poll-interval (50ms) but is 1ms
					whizbang.outbox.worker.drain-timeout=-1s           | must not be negative but is -1s
					whizbang.events.page-size=0                        | must be at least 1 but is 0
					whizbang.events.types[a].version=0                 | must be at least 1 but is 0
					whizbang.events.publish[a]=                        | must not be blank but is ''
					whizbang.fanout.every=-1s                          | must not be negative but is -1s
					whizbang.fanout.keep-cursors=30d                   | must be at least 31708800s but is 2592000s
					whizbang.fanout.worker.page-size=0                 | must be at least 1 but is 0
					whizbang.fanout.topics.etl.page-size=0             | must be at least 1 but is 0
					whizbang.fanout.topics.etl.every=-1s               | must not be negative but is -1s
					whizbang.joins.keep=-1s                            | must not be negative but is -1s
					whizbang.joins.worker.batch-size=0                 | must be at least 1 but is 0
					whizbang.jobs.misfire-grace=-1s                    | must not be negative but is -1s
					whizbang.jobs.keep-runs=0s                         | must be above 0 but is 0s
					whizbang.jobs.max-runs=0                           | must be at least 1 but is 0
					whizbang.jobs.retry.max-attempts=0                 | must be at least 1 but is 0
					whizbang.jobs.retry.max-delay=1s                   | must not be below whizbang.jobs.retry.first-delay (10s) but is 1s
					whizbang.jobs.worker.concurrency=0                 | must be at least 1 but is 0
					whizbang.jobs.worker.lease=0s                      | must be above 0 but is 0s
					whizbang.jobs.worker.max-poll-interval=0s          | must be above 0 but is 0s
					whizbang.jobs.worker.drain-timeout=-1s             | must not be negative but is -1s
					whizbang.perspectives.page-size=0                  | must be at least 1 but is 0
					whizbang.perspectives.stream-batch=0               | must be at least 1 but is 0
					whizbang.perspectives.retire-after=1999ms          | must be at least 2s but is 1999ms
					whizbang.perspectives.progress-interval=0s         | must be above 0 but is 0s
					whizbang.perspectives.retry.max-attempts=0         | must be at least 1 but is 0
					whizbang.perspectives.worker.concurrency=0         | must be at least 1 but is 0
					whizbang.perspectives.worker.lease=0s              | must be above 0 but is 0s
					whizbang.perspectives.worker.min-poll-interval=0s  | must be above 0 but is 0s
					whizbang.perspectives.worker.max-poll-interval=1ms | must not be below whizbang.perspectives.worker.min-poll-interval (100ms) but is 1ms
					whizbang.perspectives.worker.drain-timeout=-1s     | must not be negative but is -1s
					whizbang.leases.duration=0s                        | must not be below the shortest lease (100ms) but is 0s
					whizbang.leases.duration=2d                        | the longest lease must not be below whizbang.leases.duration (172800s) but is 86400s
					whizbang.leases.renew-at=1.0                       | must be from 0.1 to 0.9 but is 1.0
					whizbang.leases.renew-jitter=-0.1                  | must be from 0.0 to 0.5 but is -0.1
					whizbang.leases.max-pause=0s                       | must be above 0 but is 0s
					whizbang.queues.lock=0s                            | must be above 0 but is 0s
					whizbang.queues.max-lock=10s                       | must not be below whizbang.queues.lock (30s) but is 10s
					whizbang.queues.batch-size=0                       | must be at least 1 but is 0
					whizbang.queues.batch-bytes=0                      | must be at least 1 but is 0
					whizbang.queues.retry.max-attempts=0               | must be at least 1 but is 0
					whizbang.queues.worker.concurrency=0               | must be at least 1 but is 0
					whizbang.queues.worker.max-poll-interval=0s        | must be above 0 but is 0s
					whizbang.queues.worker.drain-timeout=-1s           | must not be negative but is -1s
					whizbang.rabbit.confirm-timeout=0s                 | must be above 0 but is 0s
					whizbang.inbox.rabbit.listeners[0].queues=         | must not be empty
					""")
	void refuseABadValueAndNameIt(String property, String reason) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(property.substring(0, property.indexOf('=')))
				.hasMessageContaining(reason));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			concurrency=0 | must be at least 1 but is 0
			batch-size=0  | must be at least 1 but is 0
			prefetch=99   | must be at least 100 but is 99
			source=       | must not be blank but is ''
			topic=        | must not be blank but is ''
			""")
	void refuseABadValueOfAListenerAndNameIt(String setting, String reason) {
		String prefix = "whizbang.inbox.rabbit.listeners[0].";
		this.runner.withPropertyValues(prefix + "queues=orders", prefix + setting)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(prefix + setting.substring(0, setting.indexOf('=')))
				.hasMessageContaining(reason));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties({ SchemaProperties.class, InstanceProperties.class, CoordinatorProperties.class,
			ListenProperties.class, OutboxProperties.class, InboxProperties.class, EventStoreProperties.class,
			JobProperties.class, FanoutProperties.class, JoinProperties.class, PerspectiveProperties.class,
			LeaseProperties.class, QueueProperties.class, RabbitProperties.class, RabbitInboxProperties.class })
	static class AllProperties {

	}

}
