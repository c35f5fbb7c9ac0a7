package io.whizbang.inbox;

import java.util.List;
import java.util.stream.IntStream;

import io.whizbang.test.ManualWorker;
import io.whizbang.test.ManualWorker.Ended;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A receptor that has not failed for long runs without savepoints; nobody can tell.
 */
@PostgresTest
class ReliableReceptorTests {

	private static final int MESSAGES = 10;

	private final InboxFixture fixture;

	private final RecordingReceptor receptor;

	private final ManualWorker worker;

	ReliableReceptorTests(PostgresDatabase database) {
		this.fixture = new InboxFixture(database);
		this.receptor = this.fixture.receptor("a");
		this.worker = this.fixture.worker();
	}

	@BeforeEach
	void succeedForLong() {
		succeedForLong("past");
		this.receptor.called().clear();
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	private List<Outcome> run() {
		this.fixture.inbox.receiveAll(InboxFixture.messages(MESSAGES));
		return this.worker.runUntilIdle().stream().map(Ended::outcome).toList();
	}

	/** Every savepoint has a transaction id of its own. */
	private int transactionIds() {
		return this.fixture.number("select count(distinct xmin::text) from thing");
	}

	@Test
	void itsMessagesShareTransactionsWithoutSavepoints() {
		assertThat(run()).hasSize(MESSAGES).containsOnly(Outcome.DONE);
		assertThat(this.fixture.things()).hasSize(MESSAGES);
		assertThat(this.receptor.called()).hasSize(MESSAGES);
		assertThat(transactionIds()).isLessThan(MESSAGES);
	}

	@Test
	void whenItFailsAfterAllTheOthersKeepTheirEffectsOnce() {
		this.receptor.then((name, envelope) -> {
			this.fixture.outbox.enqueue("done." + name, 1);
			if (name.equals("m3")) {
				throw new IllegalStateException("no");
			}
		});
		assertThat(run()).filteredOn((outcome) -> outcome == Outcome.DONE).hasSize(MESSAGES - 1);
		assertThat(this.fixture.things()).hasSize(MESSAGES - 1).doesNotContain("a:m3").doesNotHaveDuplicates();
		assertThat(this.fixture.emitted()).hasSize(MESSAGES - 1).doesNotContain("done.m3").doesNotHaveDuplicates();
		assertThat(this.fixture.waiting()).containsExactly("m3");
		assertThat(this.fixture.number("select attempts from whizbang.wh_inbox")).isEqualTo(1);
	}

	@Test
	void onceItHasFailedItGetsSavepointsAgain() {
		this.receptor.failsFor("m1");
		run();
		assertThat(transactionIds()).isEqualTo(MESSAGES - 1);
		this.fixture.inbox.receiveAll(List.of(InboxFixture.message("x"), InboxFixture.message("y")));
		this.worker.runUntilIdle();
		assertThat(transactionIds()).isEqualTo(MESSAGES + 1);
	}

	@Test
	void failureHoldsBackItsStreamAndNothingElse() {
		this.receptor.failsFor("s1");
		this.fixture.inbox.receiveAll(List.of(InboxFixture.message("s1", "s"), InboxFixture.message("t1", "t"),
				InboxFixture.message("s2", "s"), InboxFixture.message("t2", "t")));
		this.worker.runUntilIdle();
		assertThat(this.fixture.things()).containsExactly("a:t1", "a:t2");
		assertThat(this.fixture.waiting()).containsExactly("s1", "s2");
	}

	@Test
	void statementWhoseFailureItSwallowsFailsItsOwnMessageOnly() {
		this.receptor.then((name, envelope) -> {
			if (name.equals("m4")) {
				try {
					new JdbcTemplate(this.fixture.dataSource).execute("select 1 / 0");
				}
				catch (RuntimeException ex) {
					// As careless as can be: the transaction is dead now.
				}
			}
		});
		run();
		assertThat(this.fixture.things()).hasSize(MESSAGES - 1).doesNotContain("a:m4").doesNotHaveDuplicates();
		assertThat(this.fixture.waiting()).containsExactly("m4");
	}

	@Test
	void rollbackThatAPartOfItAsksForFailsItsOwnMessageOnly() {
		this.receptor.then((name, envelope) -> {
			if (name.equals("m4")) {
				this.fixture.transaction.executeWithoutResult((status) -> status.setRollbackOnly());
			}
		});
		run();
		assertThat(this.fixture.things()).hasSize(MESSAGES - 1).doesNotContain("a:m4").doesNotHaveDuplicates();
		assertThat(this.fixture.waiting()).containsExactly("m4");
	}

	@Test
	void anotherReceptorOfTheSameMessageKeepsWhatItDid() {
		RecordingReceptor other = this.fixture.receptor("b");
		succeedForLong("more");
		other.failsFor("m2");
		run();
		assertThat(this.fixture.things()).hasSize(2 * MESSAGES - 1).contains("a:m2").doesNotContain("b:m2");
		assertThat(this.fixture.recorded()).containsExactly("a:1");
		assertThat(this.fixture.waiting()).containsExactly("m2");
	}

	private void succeedForLong(String prefix) {
		this.fixture.inbox
			.receiveAll(IntStream.range(0, 500).mapToObj((number) -> InboxFixture.message(prefix + number)).toList());
		this.worker.runUntilIdle();
		this.fixture.jdbc.execute("truncate thing");
	}

}
