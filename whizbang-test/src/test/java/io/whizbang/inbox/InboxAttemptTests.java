package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.ManualWorker.Ended;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who gets a received message, and what counts as an attempt to handle it.
 */
@PostgresTest
class InboxAttemptTests {

	private final InboxFixture fixture;

	private final WorkCoordinator coordinator;

	InboxAttemptTests(PostgresDatabase database) {
		this.fixture = new InboxFixture(database);
		this.coordinator = this.fixture.coordinator();
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	private UUID join() {
		return this.coordinator.register(new InstanceInfo("test", "localhost", 1, Map.of()), Set.of(Queue.INBOX));
	}

	private List<Work> claim(UUID instance) {
		return this.coordinator.claim(instance, Queue.INBOX, 100);
	}

	/** An instance takes the message and is never heard of again. */
	private void crash() {
		assertThat(claim(join())).hasSize(1);
		this.fixture.clock.advance(Duration.ofMinutes(20));
	}

	private List<Outcome> run(ManualWorker worker) {
		return worker.runUntilIdle().stream().map(Ended::outcome).toList();
	}

	@Test
	void receivedMessageIsNobodysUntilItIsClaimed() {
		UUID instance = join();
		this.fixture.receive("one");
		assertThat(this.fixture.number("select count(*) from whizbang.wh_claims")).isZero();
		List<Work> work = claim(instance);
		assertThat(work).singleElement().satisfies((one) -> assertThat(one.attempts()).isZero());
		assertThat(this.fixture.jdbc.queryForMap("select queue, instance_id, seqs[1] as seq from whizbang.wh_claims"))
			.containsEntry("queue", Queue.INBOX.number())
			.containsEntry("instance_id", instance)
			.containsEntry("seq", work.get(0).seq());
	}

	@Test
	void streamsAreSharedOutAmongTheInstancesWithoutOverlap() {
		UUID one = join();
		UUID two = join();
		this.fixture.inbox.receiveAll(
				IntStream.range(0, 40).mapToObj((n) -> InboxFixture.message("m" + n, "stream" + (n % 20))).toList());
		List<UUID> first = streams(claim(one));
		List<UUID> second = streams(claim(two));
		assertThat(first).isNotEmpty().doesNotContainAnyElementsOf(second);
		assertThat(second).isNotEmpty();
		assertThat(first.size() + second.size()).isEqualTo(40);
	}

	private static List<UUID> streams(List<Work> work) {
		List<UUID> streams = new ArrayList<>();
		work.forEach((one) -> streams.add(one.stream()));
		return streams;
	}

	@Test
	void instanceThatVanishesPaysAnAttemptAndTheMessageTellsWhy() {
		this.fixture.receive("one");
		crash();
		assertThat(claim(join())).singleElement().satisfies((work) -> {
			assertThat(work.attempts()).isEqualTo(1);
			assertThat(work.lastError()).isEqualTo("lease expired");
		});
	}

	@Test
	void endOfALeaseDoesNotHideTheFailureBeforeIt() {
		this.fixture.receptor("a").failsFor("one");
		this.fixture.receive("one");
		ManualWorker worker = this.fixture.worker();
		assertThat(run(worker)).singleElement().isInstanceOf(Outcome.Retry.class);
		worker.close();
		this.fixture.clock.advance(Duration.ofSeconds(2));
		crash();
		assertThat(claim(join())).singleElement().satisfies((work) -> {
			assertThat(work.attempts()).isEqualTo(2);
			assertThat(work.lastError()).contains("no one for a");
		});
	}

	@Test
	void messageThatIsGivenBackHasAsManyAttemptsAsBefore() {
		this.fixture.receive("one");
		UUID instance = join();
		for (int i = 0; i < 3; i++) {
			List<Work> work = claim(instance);
			assertThat(work).singleElement().satisfies((one) -> assertThat(one.attempts()).isZero());
			assertThat(this.coordinator.report(instance, Queue.INBOX, Map.of(work.get(0), Outcome.RELEASE))).isEmpty();
		}
		assertThat(this.fixture.number("select attempts from whizbang.wh_inbox")).isZero();
		assertThat(this.fixture.number("select count(*) from whizbang.wh_claims")).isZero();
	}

	@Test
	void messageThatKillsItsInstancesEndsAsADeadLetterWithoutAnotherCall() {
		RecordingReceptor receptor = this.fixture.receptor("a");
		this.fixture.receive("one");
		for (int i = 0; i < 3; i++) {
			crash();
		}
		ManualWorker worker = this.fixture.worker();
		assertThat(run(worker)).singleElement().isInstanceOf(Outcome.Dead.class);
		assertThat(receptor.called()).isEmpty();
		assertThat(this.fixture.deadLetters()).singleElement()
			.satisfies((letter) -> assertThat(letter).containsEntry("reason", RetryPolicy.MAX_ATTEMPTS)
				.containsEntry("attempts", 3)
				.containsEntry("error", "lease expired"));
		this.fixture.clock.advance(Duration.ofDays(1));
		assertThat(run(worker)).as("never again").isEmpty();
	}

	@Test
	void messageThatHasOneAttemptLeftIsHandled() {
		RecordingReceptor receptor = this.fixture.receptor("a");
		this.fixture.receive("one");
		for (int i = 0; i < 2; i++) {
			crash();
		}
		assertThat(run(this.fixture.worker())).containsExactly(Outcome.DONE);
		assertThat(receptor.called()).containsExactly("one");
	}

	@Test
	void pausesBetweenAttemptsGrowUpToTheLongest() {
		this.fixture.settings(this.fixture.settings()
			.withRetry(RetryPolicy.defaults().withDelays(Duration.ofSeconds(100), Duration.ofSeconds(300))));
		RecordingReceptor receptor = this.fixture.receptor("a").failsFor("one");
		this.fixture.receive("one");
		ManualWorker worker = this.fixture.worker();
		run(worker);
		int calls = 1;
		// Each is up to a fifth shorter or longer than its due.
		for (int pause : new int[] { 100, 200, 300, 300 }) {
			this.fixture.clock.advance(Duration.ofSeconds(pause * 8 / 10 - 10));
			assertThat(run(worker)).as("before " + pause + " s").isEmpty();
			this.fixture.clock.advance(Duration.ofSeconds(pause * 4 / 10 + 10));
			assertThat(run(worker)).as("after " + pause + " s").hasSize(1);
			assertThat(receptor.called()).hasSize(++calls);
		}
	}

}
