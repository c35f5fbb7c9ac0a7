package io.whizbang.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.autoconfigure.QueueBeans.Picture;
import io.whizbang.autoconfigure.QueueBeans.Pictures;
import io.whizbang.autoconfigure.health.WhizbangHealthAutoConfiguration;
import io.whizbang.queue.QueueMessage;
import io.whizbang.queue.Queues;
import io.whizbang.queue.WorkQueue;
import io.whizbang.queue.WorkQueueGauges;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.assertj.core.api.MapAssert;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

/**
 * What health and meters tell of work queues; G10 (they outlive the database).
 */
@PostgresTest
class QueueHealthTests {

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	QueueHealthTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, QueueAutoConfiguration.class,
					WhizbangHealthAutoConfiguration.class, WhizbangMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@Test
	void aPausedQueueIsADetail() {
		this.runner.withBean(Pictures.class).run((context) -> {
			context.getBean(Queues.class).pause("together", "ada");
			context.getBean(WorkQueue.class).enqueue("together", "a", new Picture(1));
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("state", "RUNNING").containsKey("running");
			queue(health, "together").containsEntry("paused", true)
				.containsEntry("messages", 1)
				.containsEntry("readyKeys", 1)
				.containsKey("oldestSeconds");
			queue(health, "single").containsEntry("paused", false).containsEntry("messages", 0);
			context.getBean(Queues.class).resume("together");
			Await.until("it is consumed", () -> !context.getBean(Pictures.class).seen.isEmpty());
		});
	}

	@Test
	void saysThatNobodyConsumesHere() {
		this.runner.run((context) -> {
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(health(context).getDetails()).containsEntry("state", "NO_CONSUMERS");
		});
		this.runner.withBean(Pictures.class)
			.withPropertyValues("whizbang.queues.worker.enabled=false")
			.run((context) -> {
				assertThat(health(context).getStatus()).isEqualTo(Status.UNKNOWN);
				assertThat(health(context).getDetails()).containsEntry("state", "STOPPED");
			});
	}

	@Test
	void isDownWhileRoundsFailAndUpAgainAfterwards() {
		this.runner.withBean(Pictures.class).run((context) -> {
			context.getBean(WorkQueue.class).enqueue("together", "a", new Picture(1));
			Await.until("the first message", () -> context.getBean(Pictures.class).seen.size() == 1);
			this.database.jdbc().execute("alter table whizbang.wh_queue_keys rename to wh_queue_keys_away");
			try {
				Await.until("it knows why", () -> health(context).getDetails().containsKey("reason"));
				assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
				assertThat(health(context).getDetails()).containsEntry("reason", "the last rounds failed; see the log");
			}
			finally {
				this.database.jdbc().execute("alter table whizbang.wh_queue_keys_away rename to wh_queue_keys");
			}
			Await.until("it is up", () -> health(context).getStatus().equals(Status.UP));
			context.getBean(WorkQueue.class).enqueue("together", "a", new Picture(2));
			Await.until("the next message", () -> context.getBean(Pictures.class).seen.size() == 2);
			assertThat(meters(context).get("whizbang.round.failures").tag("queue", "queues").counter().count())
				.isGreaterThanOrEqualTo(3);
		});
	}

	@Test
	void isDownBeyondLimitsThatSomebodyHasSet() {
		this.database.jdbc().execute("truncate whizbang.wh_queue_keys, whizbang.wh_queue_messages");
		this.runner
			.withPropertyValues("whizbang.health.max-ready=1", "whizbang.health.max-dead-letters=0",
					"whizbang.health.max-oldest-age=1h")
			.run((context) -> {
				this.database.jdbc().execute("delete from whizbang.wh_dead_letters where queue = 5");
				WorkQueue queue = context.getBean(WorkQueue.class);
				queue.enqueue("limited", "a", new Picture(1));
				assertThat(health(context).getStatus()).isEqualTo(Status.UP);
				queue.enqueue("limited", "a", new Picture(2));
				assertThat(health(context).getDetails()).containsEntry("reason",
						"more than 1 messages are in a work queue");
				this.database.jdbc().execute("truncate whizbang.wh_queue_keys, whizbang.wh_queue_messages");
				assertThat(health(context).getStatus()).isEqualTo(Status.UP);
				queue.enqueue("limited", "a", new Picture(3));
				this.database.jdbc().execute("update whizbang.wh_queue_keys set due_at = due_at - interval '2 hours'");
				assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
				assertThat(health(context).getDetails()).containsEntry("reason",
						"the first in line of a work queue has been waiting for longer than PT1H");
				this.database.jdbc().execute("truncate whizbang.wh_queue_keys, whizbang.wh_queue_messages");
				die();
				assertThat(health(context).getDetails()).containsEntry("deadLetters", 1)
					.containsEntry("reason", "work queues have more than 0 dead letters");
			});
	}

	private void die() {
		this.database.jdbc()
			.update("""
					insert into whizbang.wh_dead_letters (queue, reason, attempts, died_at, created_at, seq, message_id, topic,
					    message_type, headers, payload)
					values (5, 'test', 1, now(), now(), 1, gen_random_uuid(), 'limited', 'Test', '{}', '{}')""");
	}

	@Test
	void metersCountAndTime() {
		this.runner.withBean(Pictures.class).run((context) -> {
			MeterRegistry meters = meters(context);
			WorkQueue queue = context.getBean(WorkQueue.class);
			queue.enqueueAll(List.of(QueueMessage.to("together", new Picture(1)).key("a").build(),
					QueueMessage.to("together", new Picture(2)).key("a").build()));
			Await.until("both are counted", () -> meters.find("whizbang.queues.consumed").counter() != null);
			assertThat(meters.get("whizbang.queues.consumed").tag("queue", "together").counter().count()).isEqualTo(2);
			assertThat(meters.get("whizbang.queues.calls").tag("queue", "together").timer().count()).isEqualTo(1);
			assertThat(meters.get("whizbang.queues.lateness").tag("queue", "together").timer().count()).isEqualTo(1);
			queue.enqueue("single", new Picture(1));
			Await.until("the failure", () -> meters.find("whizbang.queues.failures").counter() != null);
			assertThat(meters.get("whizbang.queues.failures")
				.tag("queue", "single")
				.tag("exception", "PermanentFailureException")
				.counter()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void gaugesTellHowQueuesStand() {
		this.runner.run((context) -> {
			WorkQueue queue = context.getBean(WorkQueue.class);
			this.database.jdbc().execute("truncate whizbang.wh_queue_keys, whizbang.wh_queue_messages");
			queue.enqueueAll(List.of(QueueMessage.to("gauged", new Picture(1)).key("a").build(),
					QueueMessage.to("gauged", new Picture(2)).key("a").build(),
					QueueMessage.to("gauged", new Picture(3)).key("b").build()));
			assertThat(queue.dequeueBatch("gauged")).isPresent();
			this.database.jdbc().execute("delete from whizbang.wh_dead_letters where queue = 5");
			die();
			MeterRegistry meters = meters(context);
			context.getBean(WorkQueueGauges.class).bindTo(meters);
			assertThat(meters.get("whizbang.queues.messages").gauge().value()).isEqualTo(3);
			assertThat(meters.get("whizbang.queues.keys").tag("status", "ready").gauge().value()).isEqualTo(1);
			assertThat(meters.get("whizbang.queues.keys").tag("status", "locked").gauge().value()).isEqualTo(1);
			assertThat(meters.get("whizbang.queues.keys").tag("status", "waiting").gauge().value()).isZero();
			assertThat(meters.get("whizbang.queues.oldest").gauge().value()).isPositive();
			assertThat(meters.get("whizbang.dead.letters").tag("queue", "queues").gauge().value()).isEqualTo(1);
		});
	}

	private static MeterRegistry meters(ApplicationContext context) {
		return context.getBean(MeterRegistry.class);
	}

	private static MapAssert<Object, Object> queue(Health health, String name) {
		return assertThat(health.getDetails().get("queues")).asInstanceOf(MAP).extractingByKey(name, MAP);
	}

	private static Health health(ApplicationContext context) {
		CompositeHealthContributor parts = context.getBean(CompositeHealthContributor.class);
		HealthIndicator indicator = (HealthIndicator) parts.getContributor("queues");
		assertThat(indicator).isNotNull();
		Health health = indicator.health();
		assertThat(health).isNotNull();
		return health;
	}

}
