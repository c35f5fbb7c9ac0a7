package io.whizbang.perspective;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.whizbang.perspective.PerspectiveStatus.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RatesTests {

	private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 1_000_000_000L);

	private final Rates rates = new Rates(this.nanoTime::get);

	@Test
	void nothingIsKnownAtFirstNorAMomentLater() {
		assertThat(at(0, 100).rate()).isZero();
		assertThat(at(100, 150).timeLeft()).isNull();
		assertThat(at(50, 160).rate()).isZero();
	}

	@Test
	void theRateIsThatSinceTheFirstLookAndTellsHowLongItTakes() {
		at(0, 100);
		PerspectiveStatus status = at(2000, 300);
		assertThat(status.rate()).isEqualTo(100);
		assertThat(status.timeLeft()).isEqualTo(Duration.ofSeconds(7));
		assertThat(at(2000, 1000).timeLeft()).isEqualTo(Duration.ZERO);
	}

	@Test
	void whatWasLongAgoIsForgotten() {
		at(0, 0);
		at(11_000, 110);
		at(11_000, 120);
		assertThat(at(11_000, 680).rate()).as("since the look before").isEqualTo((680 - 120) / 11.0);
	}

	@Test
	void whoStandsStillHasNoTimeLeftThatAnyoneKnows() {
		at(0, 100);
		PerspectiveStatus status = at(5000, 100);
		assertThat(status.rate()).isZero();
		assertThat(status.timeLeft()).isNull();
	}

	@Test
	void aRebuildBeginsAnew() {
		at(0, 0);
		at(1000, 900);
		assertThat(at(1000, 10).rate()).isZero();
		assertThat(at(1000, 60).rate()).isEqualTo(50);
	}

	@Test
	void runsAreRatedOneByOne() {
		at(0, 0);
		PerspectiveStatus other = status(2, 500);
		assertThat(this.rates.rated(List.of(other)).get(0).rate()).isZero();
		assertThat(at(1000, 10).rate()).isEqualTo(10);
	}

	/** Looks so many milliseconds after the last look. */
	private PerspectiveStatus at(long later, long done) {
		this.nanoTime.addAndGet(later * 1_000_000);
		return this.rates.rated(List.of(status(1, done))).get(0);
	}

	private static PerspectiveStatus status(int run, long done) {
		return new PerspectiveStatus(new PerspectiveRun("p", 1, run), State.BUILDING, false, 16, 16, done, 1000,
				1000 - done, 0, 0, 0, null, Instant.EPOCH, null);
	}

}
