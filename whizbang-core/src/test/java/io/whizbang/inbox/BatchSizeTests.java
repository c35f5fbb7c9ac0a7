package io.whizbang.inbox;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BatchSizeTests {

	private final BatchSize size = new BatchSize();

	@Test
	void beginsSmall() {
		assertThat(this.size.get()).isEqualTo(4);
	}

	@Test
	void doublesWhileMessagesAreQuickUpToWhatTheDatabaseLikes() {
		int[] sizes = { 8, 16, 32, 50, 50 };
		for (int expected : sizes) {
			took(this.size.get(), Duration.ofMillis(1));
			assertThat(this.size.get()).isEqualTo(expected);
		}
	}

	@Test
	void isOneAtOnceWhenMessagesAreSlow() {
		grow();
		took(this.size.get(), Duration.ofSeconds(10));
		assertThat(this.size.get()).isEqualTo(1);
	}

	@Test
	void growsAgainWhenMessagesGetQuickAgain() {
		took(4, Duration.ofSeconds(10));
		took(1, Duration.ofMillis(1));
		assertThat(this.size.get()).isEqualTo(2);
	}

	@Test
	void fillsTheTimeThatATransactionMayTake() {
		grow();
		took(10, Duration.ofMillis(20));
		assertThat(this.size.get()).isEqualTo(20);
		took(10, Duration.ofMillis(80));
		assertThat(this.size.get()).isEqualTo(5);
	}

	@Test
	void countsReceptorsAndNotOnlyMessages() {
		grow();
		this.size.took(10, 50, 1);
		assertThat(this.size.get()).as("five receptors for each").isEqualTo(10);
	}

	@Test
	void isNeverLessThanOneHoweverManyReceptorsAMessageHas() {
		this.size.took(1, 200, 1);
		assertThat(this.size.get()).isEqualTo(1);
	}

	@Test
	void survivesAClockThatDoesNotTick() {
		this.size.took(4, 4, 0);
		assertThat(this.size.get()).isEqualTo(8);
	}

	private void grow() {
		for (int i = 0; i < 4; i++) {
			took(this.size.get(), Duration.ofMillis(1));
		}
		assertThat(this.size.get()).isEqualTo(50);
	}

	private void took(int count, Duration time) {
		this.size.took(count, count, time.toNanos());
	}

}
