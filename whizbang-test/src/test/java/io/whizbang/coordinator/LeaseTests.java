package io.whizbang.coordinator;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.Test;

import static io.whizbang.coordinator.CoordinatorFixture.LEASE;
import static io.whizbang.coordinator.TestInstance.claimOf;
import static io.whizbang.coordinator.TestInstance.names;
import static io.whizbang.coordinator.TestInstance.work;
import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class LeaseTests {

	private final CoordinatorFixture fixture;

	private final TestInstance instance;

	LeaseTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.instance = this.fixture.join();
	}

	private WorkBatch claimWithConcurrency(int concurrency) {
		return this.instance.exchange(WorkReport.nothing(), 100, concurrency, false);
	}

	@Test
	void claimsOfACrashedInstanceAreRecoveredAfterTheirLease() {
		this.fixture.enqueue("a1", "a2", "b1");
		this.fixture.enqueueKeyless("x");
		this.instance.claim();
		TestInstance other = this.fixture.join();
		this.fixture.clock().advance(LEASE);
		assertThat(other.drain()).as("at the last moment of the lease").isEmpty();
		this.fixture.clock().advance(Duration.ofSeconds(2));
		WorkBatch recovery = other.beat();
		assertThat(recovery.recovered()).isEqualTo(4);
		this.instance.leave();
		assertThat(other.drain()).containsExactlyInAnyOrder("a1", "a2", "b1", "x").containsSubsequence("a1", "a2");
	}

	@Test
	void expiryCountsAnAttemptOnlyAgainstTheFirstOfSoManyStreamsAsRanAtOnce() {
		this.fixture.enqueue("a1", "a2", "b1", "c1", "d1");
		claimWithConcurrency(2);
		this.fixture.clock().advance(LEASE.plusMillis(1));
		WorkBatch again = this.instance.claim();
		assertThat(names(again)).containsExactly("a1", "a2", "b1", "c1", "d1");
		assertThat(again.work()).extracting("attempts").containsExactly(1, 0, 1, 0, 0);
		assertThat(again.work()).extracting("lastError").containsOnly("lease expired");
		assertThat(again.recovered()).isEqualTo(5);
	}

	@Test
	void crashesWithOneMessageAtATimeEndAtThePoison() {
		this.fixture.enqueue("a1", "b1");
		for (int i = 0; i < 3; i++) {
			claimWithConcurrency(1);
			this.fixture.clock().advance(LEASE.plusMillis(1));
		}
		WorkBatch again = this.instance.claim();
		assertThat(work(again, "a1").attempts()).isEqualTo(3);
		assertThat(work(again, "b1").attempts()).isZero();
	}

	@Test
	void completedMessagesOfAnExpiredClaimStayCompleted() {
		this.fixture.enqueue("a1", "a2", "b1");
		WorkBatch held = claimWithConcurrency(2);
		this.instance.report(held, Outcome.DONE, "a1");
		this.fixture.clock().advance(LEASE.plusMillis(1));
		WorkBatch again = this.instance.claim();
		assertThat(names(again)).containsExactly("a2", "b1");
		assertThat(again.work()).extracting("attempts").containsExactly(1, 1);
	}

	@Test
	void renewedClaimLivesOn() {
		this.fixture.enqueue("a1", "b1");
		WorkBatch renewed = this.instance.claim(1);
		WorkBatch forgotten = this.instance.claim(1);
		for (int i = 0; i < 4; i++) {
			this.fixture.clock().advance(LEASE.dividedBy(2));
			assertThat(this.instance.renew(renewed).lost()).isEmpty();
		}
		assertThat(this.instance.finish(renewed, forgotten).lost()).containsExactly(claimOf(forgotten));
		assertThat(this.instance.drain()).containsExactly("b1");
	}

	@Test
	void renewalCountsFromTheCall() {
		this.fixture.enqueue("a1");
		WorkBatch held = this.instance.claim();
		this.fixture.clock().advance(Duration.ofMinutes(4));
		this.instance.renew(held);
		assertThat(this.fixture.jdbc()
			.queryForObject("select lease_expiry from whizbang.wh_claims", OffsetDateTime.class)
			.toInstant()).isEqualTo(this.fixture.clock().now().plus(LEASE));
	}

	@Test
	void claimThatTheCallerDoesNotKnowIsGivenBack() {
		this.fixture.enqueue("a1", "a2", "b1");
		WorkBatch known = this.instance.claim(2);
		WorkBatch lostAnswer = this.instance.claim();
		assertThat(names(lostAnswer)).containsExactly("b1");
		this.instance.knowingOnly(known);
		assertThat(this.fixture.claims()).isOne();
		WorkBatch again = this.instance.claim();
		assertThat(names(again)).containsExactly("b1");
		assertThat(work(again, "b1").attempts()).isZero();
		assertThat(work(again, "b1").lastError()).isNull();
		assertThat(this.instance.finish(lostAnswer).lost()).containsExactly(claimOf(lostAnswer));
		assertThat(this.instance.finish(known, again).lost()).isEmpty();
		assertThat(this.fixture.waiting()).isZero();
	}

	@Test
	void callerThatDoesNotSayWhatItKnowsKeepsEverything() {
		this.fixture.enqueue("a1");
		this.instance.claim();
		this.instance.beat();
		assertThat(this.fixture.claims()).isOne();
	}

	@Test
	void knowledgeOfOneInstanceDoesNotTouchClaimsOfAnother() {
		this.fixture.enqueue("a1");
		this.instance.claim();
		this.fixture.join().knowingOnly();
		assertThat(this.fixture.claims()).isOne();
		this.instance.knowingOnly();
		assertThat(this.fixture.claims()).isZero();
	}

	@Test
	void reportKnowsTheClaimsItNames() {
		this.fixture.enqueue("a1", "b1");
		WorkBatch first = this.instance.claim(1);
		WorkBatch second = this.instance.claim(1);
		WorkReport report = new WorkReport(List.of(claimOf(first)), Map.of(), List.of(claimOf(second)), List.of(),
				List.of());
		assertThat(this.instance.exchange(report, 0).lost()).isEmpty();
		assertThat(this.fixture.waiting()).isOne();
		assertThat(this.fixture.claims()).isOne();
	}

	@Test
	void slowMessageDoesNotKeepThePartitionsBesideIt() {
		this.fixture.enqueue("slow1", "b1", "slow2", "b2");
		WorkBatch held = this.instance.claim(2);
		assertThat(names(held)).containsExactly("slow1", "b1");
		assertThat(this.instance.claim().work()).isEmpty();
		this.instance.report(held, Outcome.DONE, "b1");
		assertThat(this.fixture.number("select cardinality(partitions) from whizbang.wh_claims")).isOne();
		WorkBatch next = this.instance.claim();
		assertThat(names(next)).containsExactly("b2");
		this.instance.finish(held, next);
		assertThat(this.instance.drain()).containsExactly("slow2");
	}

	@Test
	void claimEndsWithItsLastMessage() {
		this.fixture.enqueue("a1", "a2", "b1");
		WorkBatch held = this.instance.claim();
		this.instance.report(held, Outcome.DONE, "a1", "b1");
		assertThat(this.fixture.claims()).isOne();
		this.instance.report(held, Outcome.DONE, "a2");
		assertThat(this.fixture.claims()).isZero();
		assertThat(this.instance.renew(held).lost()).containsExactly(claimOf(held));
	}

}
