package io.whizbang.autoconfigure.health;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.InboxAutoConfiguration;
import io.whizbang.autoconfigure.OutboxAutoConfiguration;
import io.whizbang.autoconfigure.WhizbangAutoConfiguration;
import io.whizbang.coordinator.QueueStatistics;
import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.RecordingTransport;
import io.whizbang.transport.Transport;
import io.whizbang.transport.TransportStatus;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.work.Queue;
import io.whizbang.worker.WorkerStatus;
import io.whizbang.worker.WorkerStatus.State;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class WhizbangHealthAutoConfigurationTests {

	private static final String NAME = "whizbangHealthContributor";

	private static final HealthProperties LIMITS = new HealthProperties(3, null, null, null, null, null);

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	WhizbangHealthAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					WhizbangHealthAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@Test
	void hasAPartForTheSchemaAndOneForTheWorker() {
		this.runner.run((context) -> {
			CompositeHealthContributor whizbang = context.getBean(NAME, CompositeHealthContributor.class);
			Health schema = health(whizbang, "schema");
			assertThat(schema.getStatus()).isEqualTo(Status.UP);
			assertThat(schema.getDetails()).containsEntry("schema", "whizbang").containsEntry("version", 1);
			Health outbox = health(whizbang, "outbox");
			assertThat(outbox.getStatus()).isEqualTo(Status.UP);
			assertThat(outbox.getDetails()).containsEntry("state", State.RUNNING);
		});
	}

	@Test
	void hasNoPartForAWorkerThatIsSwitchedOff() {
		this.runner.withPropertyValues("whizbang.outbox.worker.enabled=false")
			.run((context) -> assertThat(
					context.getBean(NAME, CompositeHealthContributor.class).getContributor("outbox"))
				.isNull());
	}

	@Test
	void hasAPartForTheInboxWhoseMessagesAreHandledHere() {
		inboxRunner("handled").withUserConfiguration(Billing.class).run((context) -> {
			Health inbox = health(context.getBean(NAME, CompositeHealthContributor.class), "inbox");
			assertThat(inbox.getStatus()).isEqualTo(Status.UP);
			assertThat(inbox.getDetails()).containsEntry("state", State.RUNNING).containsEntry("deadLetters", 0);
		});
	}

	@Test
	void isUpThoughNobodyHandlesTheInboxHere() {
		inboxRunner("unused").run((context) -> {
			Health inbox = health(context.getBean(NAME, CompositeHealthContributor.class), "inbox");
			assertThat(inbox.getStatus()).isEqualTo(Status.UP);
			assertThat(inbox.getDetails()).containsEntry("state", State.UNUSED);
		});
	}

	@Test
	void hasNoPartForAnInboxThatOnlyReceives() {
		inboxRunner("received").withPropertyValues("whizbang.inbox.worker.enabled=false")
			.run((context) -> assertThat(
					context.getBean(NAME, CompositeHealthContributor.class).getContributor("inbox"))
				.isNull());
	}

	@Test
	void tellsWhatWaitsInTheInboxAndWhatDiedThereAndStaysUp() {
		inboxRunner("troubled").withUserConfiguration(Billing.class).run((context) -> {
			Inbox inbox = context.getBean(Inbox.class);
			inbox.receive(IncomingMessage.from("test", "1").topic("nowhere").payload("{}").build());
			inbox.receive(IncomingMessage.from("test", "2").topic("bills").payload("{}").build());
			// Asked only when all has happened, because what it counts is seconds old.
			Await.until("one that waits and one that died", () -> this.database.jdbc().queryForObject("""
					select (select count(*) from troubled.wh_inbox where error is not null) = 1
					    and (select count(*) from troubled.wh_dead_letters) = 1""", Boolean.class));
			CompositeHealthContributor whizbang = context.getBean(NAME, CompositeHealthContributor.class);
			Health health = health(whizbang, "inbox");
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("topicsThatNobodyTakes", Set.of("nowhere"))
				.containsEntry("waiting", 1)
				.containsEntry("deadLetters", 1);
			assertThat(health(whizbang, "outbox").getDetails()).doesNotContainKey("topicsThatNobodyTakes")
				.containsEntry("deadLetters", 0);
		});
	}

	private ApplicationContextRunner inboxRunner(String schema) {
		return this.runner.withConfiguration(AutoConfigurations.of(InboxAutoConfiguration.class))
			.withPropertyValues("whizbang.schema.name=" + schema);
	}

	@Test
	void hasAPartForEachTransport() {
		this.runner.withBean(Transport.class, RecordingTransport::new).run((context) -> {
			CompositeHealthContributor whizbang = context.getBean(NAME, CompositeHealthContributor.class);
			CompositeHealthContributor transports = (CompositeHealthContributor) whizbang.getContributor("transports");
			assertThat(transports).isNotNull();
			assertThat(health(transports, context.getBean(Transport.class).name()).getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void doesNotKnowHowATransportIsThatCannotBeReached() {
		Health health = new TransportHealthIndicator(
				() -> new TransportStatus("kafka", Duration.ofSeconds(90), "no route to host"))
			.health();
		assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health.getDetails()).containsEntry("unreachableFor", "90 s")
			.containsEntry("reason", "no route to host");
	}

	@Test
	void isDownWhenTheSchemaIsGone() {
		this.runner.withPropertyValues("whizbang.schema.name=gone", "whizbang.outbox.worker.enabled=false")
			.run((context) -> {
				this.database.jdbc().execute("drop schema gone cascade");
				Health schema = health(context.getBean(NAME, CompositeHealthContributor.class), "schema");
				assertThat(schema.getStatus()).isEqualTo(Status.DOWN);
			});
	}

	@Test
	void isAbsentWhenSwitchedOffOrWithoutWhizbang() {
		this.runner.withPropertyValues("management.health.whizbang.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(NAME));
		this.runner.withPropertyValues("whizbang.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(NAME));
	}

	@Test
	void isAbsentWithoutTheHealthModule() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(NAME));
	}

	@Test
	void backsOffForTheContributorOfTheApplication() {
		this.runner.withBean("whizbangHealthIndicator", HealthIndicator.class, () -> () -> Health.up().build())
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(NAME));
	}

	@Test
	void judgesTheWorkerByItsRoundsAndNotByItsBacklog() {
		assertThat(judged(State.RUNNING, Duration.ofSeconds(9), 0)).isEqualTo(Status.UP);
		assertThat(judged(State.RUNNING, Duration.ofSeconds(1), 2)).isEqualTo(Status.UP);
		assertThat(judged(State.RUNNING, Duration.ofSeconds(1), 3)).isEqualTo(Status.DOWN);
		assertThat(judged(State.RUNNING, Duration.ofSeconds(31), 0)).isEqualTo(Status.DOWN);
		assertThat(judged(State.PAUSED, Duration.ofHours(1), 0)).isEqualTo(Status.UNKNOWN);
	}

	@Test
	void namesTopicsThatNobodyTakesAndStaysUp() {
		Health health = new WorkerHealthIndicator(() -> status(State.RUNNING, Duration.ZERO, 0), () -> Set.of("orders"),
				() -> null, Duration.ofSeconds(30), LIMITS)
			.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("topicsThatNobodyTakes", Set.of("orders"));
	}

	@Test
	void tellsHowTheQueueStandsWithoutCountingToTheEnd() {
		QueueStatistics queue = new QueueStatistics(QueueStatistics.LIMIT, 2, 3, 4, 5, 1, Duration.ofSeconds(7));
		Health health = new WorkerHealthIndicator(() -> status(State.RUNNING, Duration.ZERO, 0), Set::of, () -> queue,
				Duration.ofSeconds(30), LIMITS)
			.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("ready", "10000 or more")
			.containsEntry("waiting", 2)
			.containsEntry("parked", 3)
			.containsEntry("scheduled", 4)
			.containsEntry("deadLetters", 5)
			.containsEntry("oldest", "7000 ms old");
	}

	@Test
	void judgesTheQueueByTheLimitsThatAreSet() {
		QueueStatistics queue = new QueueStatistics(5, 0, 0, 0, 2, 1, Duration.ofSeconds(70));
		assertThat(judged(queue, LIMITS).getStatus()).isEqualTo(Status.UP);
		assertThat(judged(queue, new HealthProperties(3, null, Duration.ofSeconds(70), 5, 2, null)).getStatus())
			.isEqualTo(Status.UP);
		assertThat(judged(queue, new HealthProperties(3, null, Duration.ofSeconds(69), null, null, null)))
			.isEqualTo(down("the oldest message is older than PT1M9S"));
		assertThat(judged(queue, new HealthProperties(3, null, null, 4, null, null)))
			.isEqualTo(down("more than 4 messages are ready"));
		assertThat(judged(queue, new HealthProperties(3, null, null, null, 1, null)))
			.isEqualTo(down("there are more than 1 dead letters"));
	}

	@Test
	void judgesTheWorkerByTheLimitsThatAreSet() {
		HealthProperties limits = new HealthProperties(1, Duration.ofSeconds(2), null, null, null, null);
		assertThat(new WorkerHealthIndicator(() -> status(State.RUNNING, Duration.ofSeconds(1), 1), Set::of, () -> null,
				Duration.ofSeconds(30), limits)
			.health()
			.getStatus()).isEqualTo(Status.DOWN);
		assertThat(new WorkerHealthIndicator(() -> status(State.RUNNING, Duration.ofSeconds(3), 0), Set::of, () -> null,
				Duration.ofSeconds(30), limits)
			.health()
			.getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void refusesLimitsThatCouldNeverBePassed() {
		this.runner.withPropertyValues("whizbang.health.max-dead-letters=10000")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("whizbang.health.max-dead-letters must be between 0 and 9999 but is 10000"));
	}

	private static Health judged(QueueStatistics queue, HealthProperties limits) {
		Health health = new WorkerHealthIndicator(() -> status(State.RUNNING, Duration.ZERO, 0), Set::of, () -> queue,
				Duration.ofSeconds(30), limits)
			.health();
		Object reason = health.getDetails().get("reason");
		return (reason != null) ? Health.status(health.getStatus()).withDetail("reason", reason).build()
				: Health.status(health.getStatus()).build();
	}

	private static Health down(String reason) {
		return Health.down().withDetail("reason", reason).build();
	}

	private static Status judged(State state, Duration sinceLastRound, int failures) {
		return new WorkerHealthIndicator(() -> status(state, sinceLastRound, failures), Set::of, () -> null,
				Duration.ofSeconds(30), LIMITS)
			.health()
			.getStatus();
	}

	private static WorkerStatus status(State state, Duration sinceLastRound, int failures) {
		return new WorkerStatus(Queue.OUTBOX, state, sinceLastRound, failures, 100_000, 100, 8, 1, 0, true);
	}

	private static Health health(CompositeHealthContributor whizbang, String part) {
		HealthIndicator indicator = (HealthIndicator) whizbang.getContributor(part);
		assertThat(indicator).isNotNull();
		return indicator.health();
	}

	static class Billing {

		@MessageHandler(topic = "bills")
		void pay(Map<String, String> bill) {
			throw new PermanentFailureException("no money");
		}

	}

}
