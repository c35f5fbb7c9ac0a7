package io.whizbang.coordinator;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.message.NewMessage;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.junit.jupiter.api.Test;

import static io.whizbang.coordinator.CoordinatorFixture.message;
import static io.whizbang.coordinator.TestInstance.claimOf;
import static io.whizbang.coordinator.TestInstance.names;
import static io.whizbang.coordinator.TestInstance.work;
import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class ReportTests {

	private final CoordinatorFixture fixture;

	private final TestInstance instance;

	ReportTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.instance = this.fixture.join();
	}

	@Test
	void newMessagesAreStoredAndClaimedInOneCall() {
		WorkReport report = new WorkReport(List.of(), Map.of(), List.of(), null,
				List.of(message("a1", "a"), message("x", null), message("a2", "a")));
		assertThat(names(this.instance.exchange(report, 10))).containsExactly("a1", "x", "a2");
	}

	@Test
	void outboxKeepsWhatItIsGivenTwice() {
		NewMessage twice = message("a1", "a");
		this.fixture.enqueue(List.of(twice));
		this.fixture.enqueue(List.of(twice));
		assertThat(this.instance.drain()).containsExactly("a1", "a1");
	}

	@Test
	void finishedClaimDeletesItsMessagesAndNoOthers() {
		this.fixture.enqueue("a1", "b1", "c1");
		WorkBatch held = this.instance.claim(2);
		this.instance.finish(held);
		assertThat(this.fixture.waiting()).isOne();
		assertThat(this.fixture.claims()).isZero();
		assertThat(this.fixture.number("select count(*) from whizbang.wh_completed")).isZero();
	}

	@Test
	void debugModeKeepsCompletedMessagesWithWhoAndWhen() {
		CoordinatorSettings defaults = CoordinatorSettings.defaults();
		TestInstance debugging = this.fixture.join(new CoordinatorSettings(defaults.lease(), defaults.heartbeat(),
				defaults.deadAfter(), defaults.staleAfter(), defaults.partitions(), null, true, false));
		this.instance.leave();
		this.fixture.enqueue("a1", "b1");
		WorkBatch held = debugging.claim();
		debugging.report(held, Outcome.DONE, "a1");
		this.fixture.clock().advance(Duration.ofSeconds(1));
		debugging.finish(held);
		assertThat(this.fixture.waiting()).isZero();
		Instant now = this.fixture.clock().now();
		assertThat(this.fixture.jdbc()
			.queryForList("select payload, completed_by, completed_at from whizbang.wh_completed order by seq"))
			.containsExactly(
					Map.of("payload", "a1", "completed_by", debugging.id(), "completed_at",
							Timestamp.from(now.minusSeconds(1))),
					Map.of("payload", "b1", "completed_by", debugging.id(), "completed_at", Timestamp.from(now)));
	}

	@Test
	void emptyReportChangesNothing() {
		this.fixture.enqueue("a1");
		WorkBatch held = this.instance.claim();
		WorkBatch answer = this.instance.exchange(WorkReport.nothing(), 0);
		assertThat(answer.lost()).isEmpty();
		assertThat(answer.released()).isEmpty();
		assertThat(this.instance.finish(held).lost()).isEmpty();
	}

	@Test
	void everythingCanHappenInOneCall() {
		this.fixture.enqueue("done1", "retry1", "retry2", "dead1", "dead2", "free1", "late1", "open1", "other1");
		this.fixture.clock().advance(Duration.ofSeconds(1));
		WorkBatch mixed = this.instance.claim(8);
		WorkBatch whole = this.instance.claim();
		assertThat(names(whole)).containsExactly("other1");
		Map<Work, Outcome> outcomes = new HashMap<>();
		outcomes.put(work(mixed, "done1"), Outcome.DONE);
		outcomes.put(work(mixed, "retry1"), new Outcome.Retry(Duration.ofSeconds(5), "boom"));
		outcomes.put(work(mixed, "dead1"), new Outcome.Dead("permanent", "bang"));
		outcomes.put(work(mixed, "free1"), Outcome.RELEASE);
		outcomes.put(work(mixed, "late1"), new Outcome.Postpone(Duration.ofSeconds(9), "later"));
		this.fixture.clock().advance(Duration.ofSeconds(2));
		WorkReport report = new WorkReport(List.of(claimOf(whole)), outcomes, List.of(claimOf(mixed)),
				List.of(claimOf(mixed), claimOf(whole)), List.of(message("new1", "new")));
		WorkBatch answer = this.instance.exchange(report, 100);
		assertThat(answer.lost()).isEmpty();
		assertThat(answer.released()).containsExactly(work(mixed, "retry2").seq());
		assertThat(names(answer)).containsExactly("free1", "new1");
		assertThat(this.fixture.deadLetters()).containsExactly("dead1");
		assertThat(
				this.fixture.jdbc().queryForList("select payload from whizbang.wh_messages order by seq", String.class))
			.containsExactly("retry1", "retry2", "dead2", "free1", "late1", "open1", "new1");
		assertThat(this.fixture.number("select cardinality(seqs) from whizbang.wh_claims where claim_id = ?",
				claimOf(mixed).id()))
			.as("dead2 and open1 go on")
			.isEqualTo(2);
	}

	@Test
	void doneBehindAFailureOfTheSameReportStaysDone() {
		this.fixture.enqueue("a1", "a2", "a3");
		WorkBatch held = this.instance.claim();
		Map<Work, Outcome> outcomes = Map.of(work(held, "a1"), new Outcome.Retry(Duration.ZERO, "boom"),
				work(held, "a2"), Outcome.DONE);
		this.instance.exchange(WorkReport.of(outcomes), 0);
		assertThat(this.instance.drain()).containsExactly("a1", "a3");
	}

	@Test
	void severalFailuresOfAStreamInOneReportKeepItsOrder() {
		this.fixture.enqueue("a1", "a2", "a3");
		WorkBatch held = this.instance.claim();
		Map<Work, Outcome> outcomes = Map.of(work(held, "a1"), new Outcome.Retry(Duration.ofSeconds(9), "boom"),
				work(held, "a2"), new Outcome.Retry(Duration.ofSeconds(1), "boom"));
		this.instance.exchange(WorkReport.of(outcomes), 0);
		this.fixture.clock().advance(Duration.ofSeconds(5));
		assertThat(this.instance.drain()).isEmpty();
		this.fixture.clock().advance(Duration.ofSeconds(5));
		assertThat(this.instance.drain()).containsExactly("a1", "a2", "a3");
	}

}
