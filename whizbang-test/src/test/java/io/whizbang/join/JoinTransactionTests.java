package io.whizbang.join;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.PayloadException;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Claim;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Joins and the transactions that they are part of: G1, G5.
 */
@PostgresTest
class JoinTransactionTests {

	private final PostgresDatabase database;

	private JoinFixture fixture;

	private JoinInstance app;

	JoinTransactionTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new JoinFixture(this.database);
		this.app = this.fixture.instance();
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	private JoinId start(int expected) {
		return this.app.joins.start(NewJoin.expecting(expected).whenEnded("then").build());
	}

	@Test
	void aRollbackTakesEverythingAway() {
		JoinId join = start(2);
		this.app.joins.attach(join, "a");
		this.app.transaction.executeWithoutResult((status) -> {
			start(1);
			this.app.joins.reportDone(join, "a");
			this.app.joins.enqueueAll(join, JoinFixture.messages("work", 1));
			status.setRollbackOnly();
		});
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::attached, Join::done).containsExactly(1, 0);
		assertThat(this.app.joins.open(null, 10)).hasSize(1);
	}

	@Test
	void aSavepointTakesAwayWhatCameAfterIt() {
		JoinId join = start(2);
		TransactionTemplate nested = new TransactionTemplate(this.app.transaction.getTransactionManager());
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.app.transaction.executeWithoutResult((outer) -> {
			this.app.joins.enqueueAll(join, JoinFixture.messages("work", 1));
			nested.executeWithoutResult((inner) -> {
				this.app.joins.enqueueAll(join, JoinFixture.messages("work", 1));
				inner.setRollbackOnly();
			});
		});
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::attached, Join::done).containsExactly(1, 1);
	}

	@Test
	void aReportThatCommitsAfterLaterOnesWereCountedIsCountedToo() {
		JoinId join = start(2);
		this.app.joins.attachAll(join, List.of("a", "b"));
		TransactionTemplate apart = new TransactionTemplate(this.app.transaction.getTransactionManager());
		apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.app.transaction.executeWithoutResult((status) -> {
			this.app.joins.reportDone(join, "a");
			apart.executeWithoutResult((other) -> this.app.joins.reportDone(join, "b"));
			this.app.worker.runUntilIdle();
			assertThat(this.app.find(join).done()).as("counted before the commit").isOne();
		});
		this.app.worker.runUntilIdle();
		assertThat(this.app.find(join).status()).isEqualTo(JoinStatus.DONE);
	}

	@Test
	void aReadOnlyTransactionIsRefused() {
		TransactionTemplate readOnly = new TransactionTemplate(this.app.transaction.getTransactionManager());
		readOnly.setReadOnly(true);
		assertThatIllegalStateException().isThrownBy(() -> readOnly.executeWithoutResult((status) -> start(1)))
			.withMessageContaining("read-only");
	}

	@Test
	void whoeverAttachesHoldsUpTheCountingOfThatJoinOnly() {
		JoinId held = start(2);
		JoinId free = start(1);
		List.of(held, free).forEach((join) -> this.app.joins.attach(join, "a"));
		this.app.transaction.executeWithoutResult((status) -> {
			this.app.joins.attach(held, "b");
			CompletableFuture.runAsync(() -> countElsewhere(held, free)).join();
		});
		this.app.run();
		assertThat(this.app.find(held)).extracting(Join::attached, Join::done).containsExactly(2, 1);
	}

	private void countElsewhere(JoinId held, JoinId free) {
		JoinInstance other = this.fixture.instance();
		other.joins.reportDone(held, "a");
		other.joins.reportDone(free, "a");
		other.worker.runUntilIdle();
		assertThat(other.find(free).status()).isEqualTo(JoinStatus.DONE);
		assertThat(other.find(held).done()).isZero();
	}

	@Test
	void anInstanceThatDoesNotSayWhatItReportsReportsMembersAllTheSame() {
		JoinId join = start(2);
		this.app.joins.enqueueAll(join, JoinFixture.messages("work", 2));
		JdbcWorkCoordinator coordinator = new JdbcWorkCoordinator(this.app.pool, JoinFixture.SCHEMA,
				CoordinatorSettings.defaults());
		UUID instance = coordinator.register(new InstanceInfo("raw", "localhost", 1, Map.of()), Set.of(Queue.OUTBOX));
		WorkBatch batch = coordinator.exchange(instance, Queue.OUTBOX, WorkReport.nothing(),
				WorkRequest.upTo(10, null));
		Claim claim = batch.claim();
		assertThat(claim).isNotNull();
		coordinator.exchange(instance, Queue.OUTBOX,
				new WorkReport(List.of(claim), Map.of(), List.of(), null, List.of()), WorkRequest.nothing(null));
		this.app.worker.runUntilIdle();
		assertThat(this.app.find(join).status()).isEqualTo(JoinStatus.DONE);
	}

	@Test
	void whoLostItsClaimReportsNothing() {
		JoinId join = start(1);
		this.app.joins.enqueueAll(join, JoinFixture.messages("work", 1));
		this.app.work = (message) -> this.fixture.jdbc.update("delete from whizbang.wh_claims");
		this.app.deliveries.runOnce();
		this.app.worker.runUntilIdle();
		assertThat(this.app.find(join).done()).isZero();
	}

	@Test
	void whatFollowsCarriesOnTheCorrelation() {
		Envelope cause = new Envelope(MessageId.next(), "order", "t", null, Map.of(HeaderNames.CORRELATION_ID, "c-1"),
				"{}", JoinFixture.NOON);
		JoinId join;
		try (CurrentMessage.Scope scope = CurrentMessage.open(cause)) {
			join = start(1);
		}
		this.app.joins.attach(join, "a");
		this.app.joins.reportDone(join, "a");
		this.app.run();
		assertThat(this.fixture.jdbc.queryForObject(
				"select headers ->> 'correlation-id' from whizbang.wh_outbox where message_id = ?", String.class,
				join.value()))
			.isEqualTo("c-1");
	}

	@Test
	void nobodyCommitsMembersWhoseMessagesWereRefused() {
		JoinId join = start(1);
		Map<String, Object> circle = new HashMap<>();
		circle.put("again", circle);
		OutboxMessage unwritable = OutboxMessage.to("work", circle).build();
		assertThatExceptionOfType(UnexpectedRollbackException.class).isThrownBy(() -> this.app.transaction
			.executeWithoutResult((status) -> assertThatExceptionOfType(PayloadException.class)
				.isThrownBy(() -> this.app.joins.enqueue(join, unwritable))));
		assertThat(this.app.find(join).attached()).isZero();
	}

	@Test
	void theWorkerCountsByItselfAndGoesOnWhenTheDatabaseIsBack() {
		this.app.worker.start();
		JoinId join = start(2);
		this.app.joins.attachAll(join, List.of("a", "b"));
		this.app.joins.reportDone(join, "a");
		Await.until("the first is counted", () -> this.app.find(join).done() == 1);
		this.fixture.database.terminateBackends();
		this.app.pool.getHikariPoolMXBean().softEvictConnections();
		JoinInstance other = this.fixture.instance();
		other.joins.reportDone(join, "b");
		Await.until("the second is counted by the first instance", () -> !this.app.closed.isEmpty());
		assertThat(this.fixture.followedIn("then")).hasSize(1);
	}

}
