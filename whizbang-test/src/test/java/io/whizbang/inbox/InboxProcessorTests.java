package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.observation.MessageObservations;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.ManualWorker.Ended;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.work.RetryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class InboxProcessorTests {

	private final InboxFixture fixture;

	InboxProcessorTests(PostgresDatabase database) {
		this.fixture = new InboxFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	private List<Outcome> run(ManualWorker worker) {
		return worker.runUntilIdle().stream().map(Ended::outcome).toList();
	}

	private void pass() {
		this.fixture.clock.advance(Duration.ofSeconds(2));
	}

	@Test
	void effectsEmittedMessagesAndCompletionCommitTogether() {
		this.fixture.receptor("a").then((name, envelope) -> this.fixture.outbox.enqueue("done." + name, 1));
		this.fixture.receive("one", "two");
		assertThat(run(this.fixture.worker())).containsOnly(Outcome.DONE).hasSize(2);
		assertThat(this.fixture.things()).containsExactly("a:one", "a:two");
		assertThat(this.fixture.emitted()).containsExactlyInAnyOrder("done.one", "done.two");
		assertThat(this.fixture.waiting()).isEmpty();
		assertThat(this.fixture.number("select count(*) from whizbang.wh_claims")).isZero();
	}

	@Test
	void oneFailureAmongManyLeavesTheEffectsOfTheOthers() {
		RecordingReceptor receptor = this.fixture.receptor("a");
		receptor.then((name, envelope) -> {
			this.fixture.outbox.enqueue("done." + name, 1);
			if (name.equals("m3")) {
				throw new IllegalStateException("no");
			}
		});
		this.fixture.inbox.receiveAll(InboxFixture.messages(10));
		ManualWorker worker = this.fixture.worker();
		assertThat(run(worker)).filteredOn((outcome) -> outcome == Outcome.DONE).hasSize(9);
		assertThat(this.fixture.things()).hasSize(9).doesNotContain("a:m3");
		assertThat(this.fixture.emitted()).hasSize(9).doesNotContain("done.m3");
		assertThat(this.fixture.waiting()).containsExactly("m3");
		assertThat(receptor.called()).as("nobody ran twice").hasSize(10);
	}

	@Test
	void statementThatTheDatabaseRefusesFailsOneMessageOnly() {
		RecordingReceptor receptor = this.fixture.receptor("a");
		receptor.then((name, envelope) -> {
			if (name.equals("m2")) {
				new JdbcTemplate(this.fixture.dataSource).execute("select 1 / 0");
			}
		});
		this.fixture.inbox.receiveAll(InboxFixture.messages(4));
		run(this.fixture.worker());
		assertThat(this.fixture.things()).containsExactly("a:m1", "a:m3", "a:m4");
		assertThat(this.fixture.waiting()).containsExactly("m2");
	}

	@Test
	void swallowedFailureOfAStatementFailsItsOwnMessageOnly() {
		RecordingReceptor receptor = this.fixture.receptor("a");
		receptor.then((name, envelope) -> {
			if (name.equals("m2")) {
				try {
					new JdbcTemplate(this.fixture.dataSource).execute("select 1 / 0");
				}
				catch (RuntimeException ex) {
					// As careless as can be: the transaction is dead now.
				}
			}
		});
		this.fixture.inbox.receiveAll(InboxFixture.messages(4));
		run(this.fixture.worker());
		assertThat(this.fixture.things()).containsExactly("a:m1", "a:m3", "a:m4");
		assertThat(this.fixture.waiting()).containsExactly("m2");
	}

	@Test
	void failureOfTheCommitFailsItsOwnMessageOnly() {
		this.fixture.jdbc.execute("""
				create table parent (id text primary key);
				create table child (id text references parent deferrable initially deferred)""");
		try {
			this.fixture.receptor("a").then((name, envelope) -> {
				if (name.equals("m2")) {
					new JdbcTemplate(this.fixture.dataSource).update("insert into child values ('nobody')");
				}
			});
			this.fixture.inbox.receiveAll(InboxFixture.messages(4));
			run(this.fixture.worker());
			assertThat(this.fixture.things()).containsExactly("a:m1", "a:m3", "a:m4");
			assertThat(this.fixture.waiting()).containsExactly("m2");
		}
		finally {
			this.fixture.jdbc.execute("drop table child; drop table parent");
		}
	}

	@Test
	void retryRunsOnlyTheReceptorsThatHaveNotSucceeded() {
		RecordingReceptor good = this.fixture.receptor("good");
		RecordingReceptor bad = this.fixture.receptor("bad").failsFor("one");
		this.fixture.receive("one");
		ManualWorker worker = this.fixture.worker();
		assertThat(run(worker)).singleElement().isInstanceOf(Outcome.Retry.class);
		assertThat(this.fixture.things()).containsExactly("good:one");
		assertThat(this.fixture.recorded()).containsExactly("good:1");
		bad.then((name, envelope) -> {
		});
		pass();
		assertThat(run(worker)).containsExactly(Outcome.DONE);
		assertThat(this.fixture.things()).containsExactly("bad:one", "good:one");
		assertThat(good.called()).hasSize(1);
		assertThat(bad.called()).hasSize(2);
		assertThat(this.fixture.recorded()).isEmpty();
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void messageThatAllHandleAtOnceLeavesNoTrace() {
		this.fixture.jdbc.execute("alter table whizbang.wh_receptor_processing add constraint none check (false)");
		try {
			this.fixture.receptor("a");
			this.fixture.receptor("b");
			this.fixture.receive("one", "two");
			run(this.fixture.worker());
			assertThat(this.fixture.things()).containsExactly("a:one", "a:two", "b:one", "b:two");
		}
		finally {
			this.fixture.jdbc.execute("alter table whizbang.wh_receptor_processing drop constraint none");
		}
	}

	@Test
	void receptorThatGivesUpLetsTheOthersGoOnThenTheMessageDies() {
		RecordingReceptor hopeless = this.fixture.receptor("hopeless");
		hopeless.then((name, envelope) -> {
			throw new PermanentFailureException("never");
		});
		RecordingReceptor slow = this.fixture.receptor("slow").failsFor("one");
		this.fixture.receive("one");
		ManualWorker worker = this.fixture.worker();
		assertThat(run(worker)).singleElement().isInstanceOf(Outcome.Retry.class);
		assertThat(this.fixture.recorded()).containsExactly("hopeless:2");
		slow.then((name, envelope) -> {
		});
		pass();
		assertThat(run(worker)).singleElement().isInstanceOf(Outcome.Dead.class);
		assertThat(hopeless.called()).hasSize(1);
		assertThat(this.fixture.things()).containsExactly("slow:one");
		assertThat(this.fixture.deadLetters()).hasSize(1);
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void revivedMessageRunsOnlyWhatHadFailed() {
		RecordingReceptor good = this.fixture.receptor("good");
		RecordingReceptor bad = this.fixture.receptor("bad").retrying((policy) -> policy.withMaxAttempts(1));
		bad.failsFor("one");
		this.fixture.receive("one");
		ManualWorker worker = this.fixture.worker();
		assertThat(run(worker)).singleElement().isInstanceOf(Outcome.Dead.class);
		bad.then((name, envelope) -> {
		});
		this.fixture.jdbc.update("""
				insert into whizbang.wh_inbox
				    (queue, partition_hash, size, message_id, topic, message_type, headers, payload)
				select queue, 0, 1, message_id, topic, message_type, headers, payload from whizbang.wh_dead_letters""");
		assertThat(run(worker)).containsExactly(Outcome.DONE);
		assertThat(good.called()).hasSize(1);
		assertThat(this.fixture.things()).containsExactly("bad:one", "good:one");
	}

	@Test
	void messageDiesAfterItsLastAttemptAndNotBefore() {
		RecordingReceptor bad = this.fixture.receptor("bad").failsFor("one");
		this.fixture.receive("one");
		ManualWorker worker = this.fixture.worker();
		for (int attempt = 1; attempt < 3; attempt++) {
			assertThat(run(worker)).singleElement().isInstanceOf(Outcome.Retry.class);
			pass();
		}
		assertThat(run(worker)).singleElement().isInstanceOf(Outcome.Dead.class);
		assertThat(bad.called()).hasSize(3);
		assertThat(this.fixture.deadLetters()).singleElement()
			.satisfies((letter) -> assertThat(letter).containsEntry("reason", RetryPolicy.MAX_ATTEMPTS)
				.containsEntry("attempts", 3));
	}

	@Test
	void receptorMayNeverRetrySomeFailures() {
		this.fixture.receptor("picky")
			.retrying((policy) -> policy.withNeverRetry(Set.of(IllegalStateException.class)))
			.failsFor("one");
		this.fixture.receive("one");
		assertThat(run(this.fixture.worker())).singleElement().isInstanceOf(Outcome.Dead.class);
	}

	@Test
	void failureHoldsBackItsStreamAndNothingElse() {
		RecordingReceptor receptor = this.fixture.receptor("a").failsFor("s1");
		this.fixture.inbox.receiveAll(List.of(InboxFixture.message("s1", "s"), InboxFixture.message("t1", "t"),
				InboxFixture.message("s2", "s"), InboxFixture.message("t2", "t")));
		ManualWorker worker = this.fixture.worker();
		run(worker);
		assertThat(this.fixture.things()).containsExactly("a:t1", "a:t2");
		receptor.then((name, envelope) -> {
		});
		pass();
		run(worker);
		assertThat(receptor.called().stream().filter((name) -> name.startsWith("s"))).containsExactly("s1", "s1", "s2");
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void streamIsHandledInOrder() {
		RecordingReceptor receptor = this.fixture.receptor("a");
		List<String> names = IntStream.range(100, 300).mapToObj(Integer::toString).toList();
		this.fixture.inbox.receiveAll(names.stream().map((name) -> InboxFixture.message(name, "s")).toList());
		run(this.fixture.worker());
		assertThat(receptor.called()).isEqualTo(names);
	}

	@Test
	void receptorOutsideOfTransactionsIsRememberedBeforeTheMessageIsComplete() {
		RecordingReceptor outside = this.fixture.receptor("outside", false);
		List<Boolean> inTransaction = new ArrayList<>();
		outside
			.then((name, envelope) -> inTransaction.add(TransactionSynchronizationManager.isActualTransactionActive()));
		RecordingReceptor inside = this.fixture.receptor("inside").failsFor("one");
		this.fixture.receive("one");
		ManualWorker worker = this.fixture.worker();
		run(worker);
		assertThat(inTransaction).containsExactly(false);
		assertThat(this.fixture.recorded()).containsExactly("outside:1");
		inside.then((name, envelope) -> {
		});
		pass();
		assertThat(run(worker)).containsExactly(Outcome.DONE);
		assertThat(outside.called()).hasSize(1);
		assertThat(this.fixture.recorded()).isEmpty();
	}

	@Test
	void receptorsInsideAndOutsideOfTransactionsThatSucceedLeaveNoTrace() {
		this.fixture.receptor("outside", false);
		this.fixture.receptor("inside");
		this.fixture.receive("one");
		assertThat(run(this.fixture.worker())).containsExactly(Outcome.DONE);
		assertThat(this.fixture.things()).containsExactly("inside:one", "outside:one");
		assertThat(this.fixture.recorded()).isEmpty();
	}

	@Test
	void databaseThatIsAwayCountsNoAttempt(PostgresDatabase database) {
		this.fixture.receptor("a");
		this.fixture.inbox.receiveAll(InboxFixture.messages(3));
		ManualWorker worker;
		try (HikariDataSource closed = database.createPool(1)) {
			worker = this.fixture.worker(new JdbcTransactionManager(closed));
		}
		assertThat(run(worker)).hasSize(3).allMatch(Outcome.Postpone.class::isInstance);
		assertThat(this.fixture.number("select count(*) from whizbang.wh_inbox where attempts = 0")).isEqualTo(3);
	}

	@Test
	void receptorOutsideOfTransactionsThatFailsDoesNotStopTheOthers() {
		this.fixture.receptor("outside", false).failsFor("one");
		RecordingReceptor inside = this.fixture.receptor("inside");
		this.fixture.receive("one");
		ManualWorker worker = this.fixture.worker();
		run(worker);
		pass();
		run(worker);
		assertThat(inside.called()).hasSize(1);
		assertThat(this.fixture.waiting()).containsExactly("one");
	}

	@Test
	void messageThatNobodyTakesWaitsAndIsTold() {
		this.fixture.receptor("a");
		this.fixture.inbox.receive(IncomingMessage.from("x", "1").topic("nowhere").payload("{}").build());
		InboxProcessor processor = this.fixture.processor(this.fixture.transaction.getTransactionManager());
		ManualWorker worker = this.fixture.worker(processor);
		assertThat(run(worker)).singleElement().isInstanceOf(Outcome.Postpone.class);
		assertThat(processor.unroutableTopics()).containsExactly("nowhere");
		assertThat(this.fixture.unhandled).hasSize(1);
		assertThat(this.fixture.number("select attempts from whizbang.wh_inbox")).isZero();
	}

	@Test
	void messageThatNobodyTakesIsCompletedWhenSoWanted() {
		this.fixture.settings(this.fixture.settings().withUnhandled(InboxSettings.Unhandled.COMPLETE));
		this.fixture.inbox.receive(IncomingMessage.from("x", "1").topic("nowhere").payload("{}").build());
		assertThat(run(this.fixture.worker())).containsExactly(Outcome.DONE);
		assertThat(this.fixture.unhandled).hasSize(1);
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void emittedMessagesCarryOnTheCorrelation() {
		List<Envelope> seen = new ArrayList<>();
		this.fixture.receptor("a").then((name, envelope) -> {
			seen.add(envelope);
			this.fixture.outbox.enqueue("next", 1);
		});
		this.fixture.inbox.receive(IncomingMessage.from("x", "one")
			.topic("orders")
			.type("Order")
			.correlationId("c")
			.payload("{\"name\":\"one\"}")
			.build());
		run(this.fixture.worker());
		Map<String, Object> emitted = this.fixture.jdbc
			.queryForMap("select headers ->> 'correlation-id' as correlation, headers ->> 'causation-id' as causation "
					+ "from whizbang.wh_outbox");
		assertThat(emitted).containsEntry("correlation", "c").containsEntry("causation", seen.get(0).id().toString());
		assertThat(seen.get(0).header(HeaderNames.SOURCE_ID)).isEqualTo("one");
	}

	@Test
	void everyCallOfAReceptorIsObserved() {
		List<Observation.Context> stopped = new ArrayList<>();
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

			@Override
			public void onStop(Observation.Context context) {
				stopped.add(context);
			}

		});
		this.fixture.receptor("good")
			.then((name, envelope) -> assertThat(registry.getCurrentObservation()).isNotNull());
		this.fixture.receptor("bad").failsFor("one");
		this.fixture.receive("one");
		run(this.fixture.worker(this.fixture.processor(this.fixture.transaction.getTransactionManager(),
				new MessageObservations(registry, null, null, null))));
		assertThat(stopped).extracting(Observation.Context::getName).containsOnly("whizbang.handle").hasSize(2);
		assertThat(stopped.get(0).getError()).isNull();
		assertThat(stopped.get(1).getError()).hasMessage("no one for bad");
		assertThat(stopped).extracting((context) -> context.getLowCardinalityKeyValue("receptor").getValue())
			.containsExactly("good", "bad");
	}

	@Test
	void debugModeKeepsWhatWasHandled(PostgresDatabase database) {
		try (InboxFixture debugging = new InboxFixture(database, DebugRules.RULES)) {
			debugging.receptor("a");
			debugging.receive("one");
			debugging.worker().runUntilIdle();
			assertThat(debugging.jdbc.queryForMap("select completed_by, topic from whizbang.wh_completed"))
				.containsEntry("topic", "orders")
				.doesNotContainEntry("completed_by", null);
		}
	}

}
