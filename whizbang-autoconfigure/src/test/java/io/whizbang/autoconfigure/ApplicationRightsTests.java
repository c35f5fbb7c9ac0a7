package io.whizbang.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.whizbang.control.Workers;
import io.whizbang.coordinator.JdbcQueueStatistics;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.event.OptimisticConcurrencyException;
import io.whizbang.event.StreamAppend;
import io.whizbang.fanout.FanoutCandidate;
import io.whizbang.fanout.FanoutHandler;
import io.whizbang.fanout.FanoutPlanner;
import io.whizbang.fanout.FanoutSchedule;
import io.whizbang.fanout.FanoutSlice;
import io.whizbang.fanout.Fanouts;
import io.whizbang.inbox.GuardAnswer.Status;
import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.InboxGuard;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.JdbcDeduplicationPurge;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.inbox.Receipt;
import io.whizbang.job.Jobs;
import io.whizbang.job.WhizbangJob;
import io.whizbang.join.JoinId;
import io.whizbang.join.JoinResult;
import io.whizbang.join.JoinStatus;
import io.whizbang.join.Joins;
import io.whizbang.join.NewJoin;
import io.whizbang.lease.Leases;
import io.whizbang.letter.AuditEntry;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetterSummary;
import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.letter.Operator;
import io.whizbang.letter.RawLetter;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.perspective.On;
import io.whizbang.perspective.OnReset;
import io.whizbang.perspective.Perspective;
import io.whizbang.perspective.Perspectives;
import io.whizbang.queue.QueueBatch;
import io.whizbang.queue.QueueConsumer;
import io.whizbang.queue.QueueMessage;
import io.whizbang.queue.Queues;
import io.whizbang.queue.WorkQueue;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaScript;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.timer.OnTimer;
import io.whizbang.timer.Timers;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.work.Queue;
import io.whizbang.worker.Pausable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application whose role owns nothing, and has only what {@link SchemaScript#grants}
 * gives it, can do everything.
 */
@PostgresTest
class ApplicationRightsTests {

	private static final String INSUFFICIENT_PRIVILEGE = "42501";

	private static final String PASSWORD = "few rights";

	private final PostgresDatabase database;

	private final String role;

	private final ApplicationContextRunner runner;

	ApplicationRightsTests(PostgresDatabase database) {
		this.database = database;
		// Roles are seen by all databases of a server, and this one's name is unique.
		this.role = database.name();
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		database.jdbc().execute("create role %s login password '%s'".formatted(this.role, PASSWORD));
		database.jdbc().execute(new SchemaScript("whizbang").grants(this.role));
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					InboxAutoConfiguration.class, DeadLettersAutoConfiguration.class, EventStoreAutoConfiguration.class,
					LeaseAutoConfiguration.class, PerspectiveAutoConfiguration.class, TimerAutoConfiguration.class,
					JobAutoConfiguration.class, FanoutAutoConfiguration.class, JoinAutoConfiguration.class,
					QueueAutoConfiguration.class, JacksonAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class))
			.withBean(DataSource.class, this::fewRights)
			.withUserConfiguration(Shop.class, Bookings.class)
			.withPropertyValues("whizbang.schema.mode=validate", "whizbang.coordinator.debug=true",
					"whizbang.inbox.retry.first-delay=1ms", "whizbang.inbox.deduplication.retention=1ms",
					"whizbang.events.types[booked].type=" + Booked.class.getName());
	}

	private DataSource fewRights() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(this.database.jdbcUrl());
		dataSource.setUser(this.role);
		dataSource.setPassword(PASSWORD);
		return dataSource;
	}

	@AfterEach
	void dropRole() {
		this.database.jdbc().execute("drop owned by " + this.role);
		this.database.jdbc().execute("drop role " + this.role);
	}

	@Test
	void theGrantsAreEnoughForAllFeatures() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);

			Outbox outbox = context.getBean(Outbox.class);
			outbox.enqueue("orders", "A", "at once");
			outbox.enqueue(OutboxMessage.to("orders", "late").stream("A").delay(Duration.ofMillis(1)).build());
			outbox.enqueueAll(List.of(OutboxMessage.to("orders", "one").build(),
					OutboxMessage.to("orders", "doomed").stream("B").build()));
			Await.untilAsserted(
					() -> assertThat(shop.delivered).containsExactlyInAnyOrder("at once", "late", "one", "doomed"));

			Inbox inbox = context.getBean(Inbox.class);
			assertThat(inbox.receive(payment())).isEqualTo(Receipt.ACCEPTED);
			assertThat(inbox.receive(payment())).isEqualTo(Receipt.DUPLICATE);
			Await.untilAsserted(() -> assertThat(shop.booked).containsExactlyInAnyOrder("booked", "failed", "again"));
			new JdbcDeduplicationPurge(fewRights(), "whizbang").run();

			EventStore events = context.getBean(EventStore.class);
			events.append("A", ExpectedVersion.none(), new Booked(1), new Booked(2));
			events.appendAll(List.of(StreamAppend.of("A", ExpectedVersion.exactly(2), new Booked(3)),
					StreamAppend.of("B", ExpectedVersion.any(), new Booked(4))));
			assertThatExceptionOfType(OptimisticConcurrencyException.class)
				.isThrownBy(() -> events.appendAll(List.of(StreamAppend.of("A", ExpectedVersion.none(), new Booked(5)),
						StreamAppend.of("C", ExpectedVersion.none(), new Booked(6)))));
			assertThat(events.read("A")).hasSize(3);
			assertThat(events.readBackwards("A")).hasSize(3);
			assertThat(events.readAll(0, 10)).hasSize(4);
			assertThat(events.info("B").version()).isEqualTo(1);

			InboxGuard guard = context.getBean(InboxGuard.class);
			guard.complete(guard.begin("guarded", "1", new byte[32], Duration.ofMinutes(1)).requireToken());
			guard.fail(guard.begin("guarded", "2", new byte[32], Duration.ofMinutes(1)).requireToken(), "broken");
			guard.dead(guard.begin("guarded", "2", new byte[32], Duration.ofMinutes(1)).requireToken(), "hopeless");
			assertThat(guard.begin("guarded", "2", new byte[32], Duration.ofMinutes(1)).status())
				.isEqualTo(Status.DEAD);

			Leases leases = context.getBean(Leases.class);
			assertThat(leases.runWith("a", Duration.ofMinutes(1), (lease) -> {
				assertThat(lease.renewNow()).isTrue();
				assertThat(leases.list()).hasSize(1);
			})).isTrue();

			JdbcDeadLetters letters = context.getBean(JdbcDeadLetters.class);
			Operator ada = Operator.named("ada");
			DeadLetterFilter dead = DeadLetterFilter.ALL.topic("orders");
			Await.until("a dead letter", () -> !letters.list(dead, null, 10).letters().isEmpty());
			DeadLetterSummary letter = letters.list(dead, null, 10).letters().get(0);
			assertThat(letters.find(letter.id())).isNotNull();
			assertThat(letters.replay(letter.id(), ada).count()).isEqualTo(1);
			Await.until("its second death", () -> !letters.list(dead, null, 10).letters().isEmpty());
			assertThat(letters.discardAll(dead, ada)).isEqualTo(1);
			letters.record(RawLetter.of(Queue.INBOX, "files", RawLetter.MALFORMED, new IllegalStateException("no JSON"),
					"{".getBytes(StandardCharsets.UTF_8), Map.of()));
			assertThat(letters.discardOlderThan(Duration.ZERO)).isEqualTo(1);
			assertThat(letters.audit(null, null, 10)).extracting((AuditEntry entry) -> entry.by().name())
				.containsExactly("whizbang", "ada", "ada");
			assertThat(letters.forgetDecisionsOlderThan(Duration.ZERO)).isEqualTo(3);

			assertThat(context.getBeansOfType(JdbcQueueStatistics.class).values()).hasSize(2)
				.allSatisfy((statistics) -> assertThat(statistics.get()).isNotNull());
			JdbcTemplate jdbc = new JdbcTemplate(fewRights());
			Await.untilAsserted(() -> {
				assertThat(jdbc.queryForList("select * from whizbang.wh_work")).isEmpty();
				assertThat(jdbc.queryForObject("select count(*) from whizbang.wh_completed", Integer.class))
					.isEqualTo(4);
			});
		});
		assertThat(this.database.jdbc().queryForList("select * from whizbang.wh_service_instances"))
			.as("instances that have not left")
			.isEmpty();
	}

	@Test
	void theGrantsAreEnoughForPerspectivesTimersJobsFanoutsJoinsAndQueues() {
		// Apart from what the other test leaves behind.
		new SchemaInstaller(this.database.unpooledDataSource(), SchemaSettings.of("workers", SchemaMode.MIGRATE))
			.install();
		this.database.jdbc().execute(new SchemaScript("workers").grants(this.role));
		this.runner.withBean(FanoutPlanner.class, TenantPlanner::new)
			.withPropertyValues("whizbang.schema.name=workers")
			.run((context) -> {
				Shop shop = context.getBean(Shop.class);
				context.getBean(EventStore.class).append("A", ExpectedVersion.none(), new Booked(1), new Booked(2));
				Timers timers = context.getBean(Timers.class);
				timers.schedule("reminders", "now", Duration.ofMillis(1));
				assertThat(timers.cancel(timers.schedule("reminders", "never", Duration.ofHours(1)))).isTrue();
				context.getBean(Jobs.class).triggerNow("report");
				Await.untilAsserted(() -> assertThat(shop.done).containsExactlyInAnyOrder("reminded now", "reported",
						"sliced tenant-1"));

				Perspectives perspectives = context.getBean(Perspectives.class);
				Await.untilAsserted(() -> assertThat(context.getBean(Bookings.class).sum).hasValue(3));
				perspectives.rebuild("bookings");
				Await.untilAsserted(() -> assertThat(context.getBean(Bookings.class).resets).hasValue(1));
				assertThat(context.getBean(Jobs.class).list()).hasSize(1);
				assertThat(context.getBean(Fanouts.class).list()).hasSize(1);
				assertThat(timers.count(10)).isZero();

				joins(context.getBean(Joins.class), shop);
				queues(context.getBean(WorkQueue.class), context.getBean(Queues.class), shop);
				Workers workers = context.getBean(Workers.class);
				for (Pausable worker : workers.here()) {
					assertThat(workers.pause(worker.label(), Operator.named("ada"))).isTrue();
				}
				assertThat(workers.paused()).hasSameSizeAs(workers.here());
				Await.until("all to pause",
						() -> workers.here().stream().map(Pausable::state).noneMatch("running"::equals));
				for (Pausable worker : workers.here()) {
					assertThat(workers.resume(worker.label(), Operator.named("ada"))).isTrue();
				}
				context.getBean(Outbox.class).enqueue("orders", "A", "after the pause");
				Await.untilAsserted(() -> assertThat(shop.delivered).contains("after the pause"));
			});
	}

	private static void joins(Joins joins, Shop shop) {
		JoinId join = joins.start(NewJoin.openEnded().key("month").whenEnded("joined").build());
		joins.enqueue(join, OutboxMessage.to("orders", "member").build());
		assertThat(joins.attachAll(join, List.of("good", "bad"))).isEqualTo(2);
		joins.reportDone(join, "good");
		joins.reportFailed(join, "bad", "no paper");
		joins.seal(join);
		Await.untilAsserted(() -> assertThat(shop.done).contains("joined 2 of 3"));
		assertThat(joins.find(join)).isPresent();
		assertThat(joins.findByKey("month")).isPresent();
		assertThat(joins.members(join, null, 10)).hasSize(3);
		JoinId late = joins.start(NewJoin.expecting(1).deadline(Duration.ofMillis(1)).whenExpired("expired").build());
		Await.until("the end of the late join", () -> joins.find(late).orElseThrow().status() == JoinStatus.EXPIRED);
		assertThat(joins.cancel(joins.start(NewJoin.expecting(1).build()))).isTrue();
		assertThat(joins.open(null, 10)).isEmpty();
	}

	private static void queues(WorkQueue queue, Queues queues, Shop shop) {
		queue.enqueue("pictures", "ada", "a picture");
		Await.untilAsserted(() -> assertThat(shop.done).contains("resized a picture"));
		queue.enqueueAll(List.of(QueueMessage.to("letters", "first").key("ada").build(),
				QueueMessage.to("letters", "second").build(),
				QueueMessage.to("letters", "third").delay(Duration.ofHours(1)).build()));
		QueueBatch batch = queue.dequeueBatch("letters").orElseThrow();
		queue.renew(batch, Duration.ofMinutes(1));
		assertThat(queues.keys("letters", 10)).isNotEmpty();
		queue.abandon(batch, Duration.ZERO, true);
		queue.ack(queue.dequeueBatch("letters", Duration.ofMinutes(1)).orElseThrow());
		queue.fail(queue.dequeueBatch("letters").orElseThrow(), "no stamp");
		assertThat(queues.list(null, 10)).isNotEmpty();
		assertThat(queues.totals().delayed()).isEqualTo(1);
		assertThat(queues.pause("letters", "ada")).isTrue();
		assertThat(queues.resume("letters")).isTrue();
		assertThat(queues.find("letters")).isPresent();
	}

	@Test
	void theGrantsDoNotLetItChangeTheObjects() {
		JdbcTemplate jdbc = new JdbcTemplate(fewRights());
		for (String sql : List.of("create table whizbang.mine ()", "alter table whizbang.wh_epoch add mine int",
				"drop function whizbang.queue_view", "truncate whizbang.wh_messages")) {
			assertThatExceptionOfType(DataAccessException.class).as(sql)
				.isThrownBy(() -> jdbc.execute(sql))
				.havingRootCause()
				.isInstanceOf(SQLException.class)
				.extracting((ex) -> ((SQLException) ex).getSQLState())
				.isEqualTo(INSUFFICIENT_PRIVILEGE);
		}
	}

	private static IncomingMessage payment() {
		return IncomingMessage.from("bank", "17").topic("payments").stream("A").payload("\"paid\"").build();
	}

	record Booked(int amount) {
	}

	static class Shop {

		final List<String> delivered = new CopyOnWriteArrayList<>();

		final List<String> booked = new CopyOnWriteArrayList<>();

		private final AtomicInteger attempts = new AtomicInteger();

		final List<String> done = new CopyOnWriteArrayList<>();

		@OnTimer("reminders")
		void remind(String text) {
			this.done.add("reminded " + text);
		}

		@WhizbangJob(name = "report", cron = "-")
		void report() {
			this.done.add("reported");
		}

		@OutboxHandler("joined")
		void follow(JoinResult result) {
			this.done.add("joined %d of %d".formatted(result.done(), result.done() + result.failed()));
		}

		@OutboxHandler("expired")
		void expired(JoinResult result) {
		}

		@QueueConsumer(queue = "pictures", transactional = true)
		void resize(String picture) {
			this.done.add("resized " + picture);
		}

		@FanoutHandler(topic = "statements", workKey = "monthly")
		void slice(FanoutSlice slice) {
			this.done.add("sliced " + slice.shardKey());
		}

		@OutboxHandler("orders")
		void deliver(String order) {
			if (!this.delivered.contains(order)) {
				this.delivered.add(order);
			}
			if (order.equals("doomed")) {
				throw new PermanentFailureException("Nobody can deliver this");
			}
		}

		@MessageHandler(topic = "payments", name = "a-book")
		void book(String payment) {
			this.booked.add("booked");
		}

		@MessageHandler(topic = "payments", name = "b-thank", transactional = false)
		void thank(String payment) {
			boolean first = this.attempts.incrementAndGet() == 1;
			this.booked.add(first ? "failed" : "again");
			if (first) {
				throw new IllegalStateException("The first try fails");
			}
		}

	}

	@Perspective(name = "bookings")
	static class Bookings {

		final AtomicInteger sum = new AtomicInteger();

		final AtomicInteger resets = new AtomicInteger();

		@On
		void booked(Booked booked) {
			this.sum.addAndGet(booked.amount());
		}

		@OnReset
		void reset() {
			this.resets.incrementAndGet();
		}

	}

	static class TenantPlanner implements FanoutPlanner {

		@Override
		public String topic() {
			return "statements";
		}

		@Override
		public Stream<FanoutCandidate> candidates() {
			return Stream.of(new FanoutCandidate("tenant-1", "monthly"));
		}

		@Override
		public FanoutSchedule schedule(FanoutSchedule configured) {
			return configured.withInterval(Duration.ofMinutes(1)).withPolicy(Duration.ofMinutes(1), Duration.ZERO);
		}

	}

}
