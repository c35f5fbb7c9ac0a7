package io.whizbang.worker;

import java.time.Duration;
import java.util.Set;

import io.whizbang.coordinator.WorkRequest;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkPumpIdleTests {

	private final PumpFixture fixture = new PumpFixture();

	@Test
	void looksOncePerHeartbeatWhileItListens() {
		this.fixture.pump.step();
		for (int i = 0; i < 10; i++) {
			int before = this.fixture.exchanges();
			Duration wait = this.fixture.pump.step();
			assertThat(wait).isEqualTo(PumpFixture.HEARTBEAT);
			assertThat(this.fixture.exchanges()).isEqualTo(before);
			this.fixture.pass(wait);
			this.fixture.pump.step();
			assertThat(this.fixture.exchanges()).isEqualTo(before + 1);
		}
	}

	@Test
	void looksMoreAndMoreRarelyWhileNobodyListens() {
		this.fixture.listening = false;
		Duration wait = this.fixture.pump.step();
		assertThat(wait).isEqualTo(Duration.ofMillis(50));
		for (int i = 0; i < 10; i++) {
			this.fixture.pass(wait);
			wait = this.fixture.pump.step();
		}
		assertThat(wait).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void looksAtOnceWhenSignalled() {
		this.fixture.pump.step();
		this.fixture.pump.signal();
		this.fixture.pump.step();
		assertThat(this.fixture.exchanges()).isEqualTo(2);
	}

	@Test
	void wakesWhenTheNextMessageIsDue() {
		long bad = this.fixture.database.enqueue("a");
		this.fixture.handler.behaviour.put(bad, (work) -> new Outcome.Retry(Duration.ofSeconds(3), "no"));
		this.fixture.stepAndWork();
		this.fixture.pump.runOnce();
		assertThat(this.fixture.pump.step()).isEqualTo(Duration.ofSeconds(3));
		this.fixture.handler.behaviour.clear();
		this.fixture.pass(Duration.ofSeconds(3));
		this.fixture.stepAndWork();
		assertThat(this.fixture.handler.started).containsExactly(bad, bad);
	}

	@Test
	void isOnTimeForAMessageThatIsDueSoonHoweverManyLooksWereInVain() {
		for (int i = 0; i < 10; i++) {
			this.fixture.pump.runOnce();
		}
		long bad = this.fixture.database.enqueue("a");
		this.fixture.handler.behaviour.put(bad, (work) -> new Outcome.Retry(Duration.ofMillis(40), "no"));
		this.fixture.pump.signal();
		this.fixture.stepAndWork();
		for (int i = 0; i < 10; i++) {
			this.fixture.pump.runOnce();
		}
		assertThat(this.fixture.pump.step()).isEqualTo(Duration.ofMillis(40));
	}

	@Test
	void tellsOthersOfTheirMessagesThatItFoundToBeDue() {
		this.fixture.database.movedTo.addAll(Set.of(0, 1, 3));
		this.fixture.pump.runOnce();
		assertThat(this.fixture.announced).singleElement()
			.satisfies((announcement) -> assertThat(announcement.text()).endsWith(" 1,3"));
	}

	@Test
	void tellsNobodyOfItsOwnMessages() {
		this.fixture.database.movedTo.add(0);
		this.fixture.pump.runOnce();
		assertThat(this.fixture.announced).isEmpty();
	}

	@Test
	void stealsAfterTwoEmptyClaimsOnlyIfItMay() {
		PumpFixture thief = new PumpFixture((settings) -> settings.withStealWhenIdle(true));
		assertThat(stealsInARow(thief, 4)).containsExactly(false, false, true, true);
		assertThat(stealsInARow(this.fixture, 4)).containsOnly(false);
	}

	@Test
	void goesOnWithHeartbeatsWhileItsHandsAreFull() {
		PumpFixture full = new PumpFixture((settings) -> settings.withBatchSize(2).withPrefetch(2));
		for (int i = 0; i < 5; i++) {
			full.database.enqueue(null);
		}
		full.pump.step();
		assertThat(full.pump.step()).isPositive();
		int before = full.exchanges();
		full.pass(PumpFixture.HEARTBEAT);
		full.pump.step();
		assertThat(full.exchanges()).isEqualTo(before + 1);
		assertThat(full.database.requests.get(before).limit()).isZero();
	}

	@Test
	void tellsWhichSessionDiesWithIt() {
		this.fixture.pump.listening(4711);
		this.fixture.pump.step();
		assertThat(this.fixture.database.watchedSession).isEqualTo(4711);
		this.fixture.pump.listening(null);
		this.fixture.pump.step();
		assertThat(this.fixture.database.watchedSession).isNull();
	}

	private static Iterable<Boolean> stealsInARow(PumpFixture fixture, int rounds) {
		fixture.database.register(new io.whizbang.coordinator.InstanceInfo("other", "host", 2, java.util.Map.of()),
				java.util.Set.of());
		for (int i = 0; i < rounds; i++) {
			fixture.pump.runOnce();
		}
		return fixture.database.requests.stream().map(WorkRequest::steal).toList();
	}

}
