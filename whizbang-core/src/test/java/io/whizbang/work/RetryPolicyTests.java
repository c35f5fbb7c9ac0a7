package io.whizbang.work;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RetryPolicyTests {

	private static final Exception FAILURE = new IllegalStateException("outer", new IllegalArgumentException("inner"));

	private final RetryPolicy exact = new RetryPolicy(10, Duration.ofSeconds(1), 2, Duration.ofSeconds(60), 0,
			Set.of());

	@Test
	void waitsTwiceAsLongAfterEveryFailureUpToALimit() {
		assertThat(delay(this.exact, 0)).isEqualTo(Duration.ofSeconds(1));
		assertThat(delay(this.exact, 1)).isEqualTo(Duration.ofSeconds(2));
		assertThat(delay(this.exact, 5)).isEqualTo(Duration.ofSeconds(32));
		assertThat(delay(this.exact, 8)).isEqualTo(Duration.ofSeconds(60));
	}

	@Test
	void spreadsDelays() {
		for (int i = 0; i < 1000; i++) {
			assertThat(delay(RetryPolicy.defaults(), 0)).isBetween(Duration.ofMillis(800), Duration.ofMillis(1200));
		}
	}

	@Test
	void givesUpAfterTheLastAttempt() {
		assertThat(this.exact.afterFailure(8, FAILURE)).isInstanceOf(Outcome.Retry.class);
		assertThat(this.exact.afterFailure(9, FAILURE)).isInstanceOfSatisfying(Outcome.Dead.class,
				(dead) -> assertThat(dead.reason()).isEqualTo("max-attempts"));
	}

	@Test
	void givesUpAtOnceWhenTryingAgainCannotHelp() {
		RetryPolicy strict = this.exact.withNeverRetry(Set.of(IllegalArgumentException.class));
		assertThat(strict.afterFailure(0, FAILURE)).isInstanceOfSatisfying(Outcome.Dead.class,
				(dead) -> assertThat(dead.reason()).isEqualTo("permanent"));
		Exception permanent = new RuntimeException(new PermanentFailureException("never"));
		assertThat(this.exact.afterFailure(0, permanent)).isInstanceOf(Outcome.Dead.class);
	}

	@Test
	void tellsAllCausesAndWhereItHappened() {
		Outcome.Retry retry = (Outcome.Retry) this.exact.afterFailure(0, FAILURE);
		assertThat(retry.error()).contains("outer", "Caused by: java.lang.IllegalArgumentException: inner",
				"at io.whizbang.work.RetryPolicyTests");
	}

	@Test
	void tellsNoMoreThanCanBeStored() {
		String text = FailureText.bounded("\0" + "€😀".repeat(5000));
		assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(FailureText.MAX_BYTES - 10,
				FailureText.MAX_BYTES);
		assertThat(text).startsWith("\uFFFD€😀").endsWith(" …").doesNotContain("\0", "?");
		assertThat(FailureText.bounded("\0".repeat(9000)).getBytes(StandardCharsets.UTF_8))
			.hasSizeLessThanOrEqualTo(FailureText.MAX_BYTES);
		assertThat(FailureText.bounded("x".repeat(FailureText.MAX_BYTES))).doesNotEndWith("…");
	}

	@Test
	void tellsTheRootCauseAndWhereItHappenedHoweverLongTheRestIs() {
		Throwable failure = new IllegalArgumentException("the root " + "z".repeat(50_000));
		for (int i = 0; i < 15; i++) {
			failure = new IllegalStateException("level " + i + " " + "€".repeat(10_000), failure);
		}
		String text = FailureText.of(failure);
		assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(FailureText.MAX_BYTES);
		assertThat(text).startsWith("java.lang.IllegalStateException: level 14")
			.contains("Caused by: java.lang.IllegalArgumentException: the root zzz",
					"\tat io.whizbang.work.RetryPolicyTests.tellsTheRootCause");
	}

	@Test
	void endsWhenCausesGoInCircles() {
		RuntimeException one = new RuntimeException("one");
		one.initCause(new RuntimeException("two", one));
		assertThat(FailureText.of(one)).contains("one", "two");
	}

	@Test
	void refusesNonsense() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.exact.withMaxAttempts(0))
			.withMessage("maxAttempts must be above 0 but is 0");
	}

	private static Duration delay(RetryPolicy policy, int attempts) {
		return ((Outcome.Retry) policy.afterFailure(attempts, FAILURE)).delay();
	}

}
