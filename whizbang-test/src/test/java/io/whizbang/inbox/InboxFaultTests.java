package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.test.Await;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.ManualWorker.Ended;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * G2 and G6 when a transaction does not end as it looks: an answer that never arrives,
 * and receptors that hide what went wrong.
 */
@PostgresTest
class InboxFaultTests {

	private final InboxFixture fixture;

	InboxFaultTests(PostgresDatabase database) {
		this.fixture = new InboxFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void messageBehindOneWhoseCommitWasNotHeardOfIsHandled() {
		SilentCommit transactions = new SilentCommit("s1");
		// One message, one transaction.
		transactions.setNestedTransactionAllowed(false);
		RecordingReceptor receptor = this.fixture.receptor("a");
		receptor.then((name, envelope) -> {
			transactions.handles(name);
			if (name.equals("t1")) {
				// The claim goes on until the failure of its neighbour is reported.
				Await.until("s1 to be reported", () -> this.fixture
					.number("select count(*) from whizbang.wh_claims where cardinality(seqs) = 3") == 0);
			}
		});
		this.fixture.inbox.receiveAll(List.of(InboxFixture.message("s1", "s"), InboxFixture.message("s2", "s"),
				InboxFixture.message("t1", "t")));
		ExecutorService threads = Executors.newFixedThreadPool(3);
		Worker worker = worker(this.fixture.processor(transactions), threads);
		try {
			worker.start();
			Await.until("the inbox to be empty", () -> this.fixture.waiting().isEmpty());
		}
		finally {
			worker.stop();
			threads.shutdownNow();
		}
		assertThat(transactions.wasSilent).isTrue();
		assertThat(this.fixture.things()).containsExactly("a:s1", "a:s2", "a:t1");
		assertThat(receptor.called().indexOf("s1")).isLessThan(receptor.called().indexOf("s2"));
	}

	private Worker worker(InboxProcessor processor, ExecutorService threads) {
		Membership membership = new Membership(this.fixture.coordinator(), this.fixture.rules,
				new InstanceInfo("test", "localhost", 1, Map.of()), Queue.INBOX);
		return new Worker(new WorkPump(new QueueWork(Queue.INBOX, processor, processor, WorkListener.NONE), membership,
				WorkerSettings.defaults().withConcurrency(2), threads, () -> false));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "b", "nobody" })
	void receptorsWhoseCommitWasNotHeardOfTakeEffectOnceWhoeverFails(String failing) {
		SilentCommit transactions = new SilentCommit("m1");
		for (String receptor : List.of("a", "b")) {
			this.fixture.receptor(receptor).then((name, envelope) -> {
				transactions.handles(name);
				if (receptor.equals(failing) && !transactions.wasSilent) {
					throw new IllegalStateException("not yet");
				}
			});
		}
		this.fixture.receive("m1", "m2");
		ManualWorker worker = this.fixture.worker(transactions);
		for (int round = 0; round < 3; round++) {
			worker.runUntilIdle();
			this.fixture.clock.advance(Duration.ofSeconds(2));
		}
		assertThat(transactions.wasSilent).isTrue();
		assertThat(this.fixture.things()).containsExactly("a:m1", "a:m2", "b:m1", "b:m2");
		assertThat(this.fixture.waiting()).isEmpty();
		assertThat(this.fixture.recorded()).isEmpty();
		assertThat(this.fixture.deadLetters()).isEmpty();
	}

	@Test
	void receptorThatHidesAFailureOfTheDatabaseFailsAloneAndTakesNobodyWithIt() {
		this.fixture.receptor("a").then((name, envelope) -> {
			if (name.equals("m2")) {
				try {
					new JdbcTemplate(this.fixture.dataSource).execute("select 1 / 0");
				}
				catch (DataAccessException ex) {
					this.fixture.received.add("hidden");
				}
			}
		});
		this.fixture.inbox.receiveAll(InboxFixture.messages(4));
		List<Ended> ended = new ArrayList<>(this.fixture.worker().runUntilIdle());
		assertThat(this.fixture.received).contains("hidden");
		assertThat(ended).hasSize(4);
		assertThat(this.fixture.things()).containsExactly("a:m1", "a:m3", "a:m4");
		assertThat(this.fixture.waiting()).containsExactly("m2");
		assertThat(this.fixture.number("select sum(attempts) from whizbang.wh_inbox")).isEqualTo(1);
	}

	@Test
	void whatAReceptorWantsAfterItsCommitDoesNotHappenWhenItFails() {
		Map<String, Integer> told = new ConcurrentHashMap<>();
		this.fixture.receptor("a").then((name, envelope) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					told.merge(name, 1, Integer::sum);
				}

			});
			if (name.equals("m2")) {
				throw new IllegalStateException("no " + name);
			}
		});
		this.fixture.inbox.receiveAll(InboxFixture.messages(4));
		this.fixture.worker().runUntilIdle();
		assertThat(told).containsOnly(Map.entry("m1", 1), Map.entry("m3", 1), Map.entry("m4", 1));
		assertThat(this.fixture.things()).containsExactly("a:m1", "a:m3", "a:m4");
	}

	@Test
	void receptorWhoseEndCannotBeRecordedTakesNoOtherMessageWithIt() {
		this.fixture.receptor("a").failsFor("m2");
		this.fixture.receptor("b").failsFor("m2").retrying((policy) -> policy.withMaxAttempts(1));
		this.fixture.inbox.receiveAll(InboxFixture.messages(3));
		this.fixture.jdbc
			.execute("alter table whizbang.wh_receptor_processing add constraint nobody_gives_up check (status = 1)");
		try {
			this.fixture.worker().runUntilIdle();
		}
		finally {
			this.fixture.jdbc.execute("alter table whizbang.wh_receptor_processing drop constraint nobody_gives_up");
		}
		assertThat(this.fixture.things()).containsExactly("a:m1", "a:m3", "b:m1", "b:m3");
		assertThat(this.fixture.waiting()).containsExactly("m2");
	}

	/**
	 * Commits, but the answer is lost on the way, once.
	 */
	private final class SilentCommit extends JdbcTransactionManager {

		private final String silentAfter;

		private final ThreadLocal<Boolean> isSilent = ThreadLocal.withInitial(() -> false);

		private volatile boolean wasSilent;

		SilentCommit(String silentAfter) {
			super(InboxFaultTests.this.fixture.dataSource);
			this.silentAfter = silentAfter;
		}

		void handles(String what) {
			if (what.equals(this.silentAfter) && !this.wasSilent) {
				this.isSilent.set(true);
			}
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			super.doCommit(status);
			if (this.isSilent.get()) {
				this.isSilent.set(false);
				this.wasSilent = true;
				throw new TransactionSystemException("The connection was lost");
			}
		}

	}

}
