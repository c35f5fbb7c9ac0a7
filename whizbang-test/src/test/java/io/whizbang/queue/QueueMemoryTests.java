package io.whizbang.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is remembered of a queue, for how long: while a transaction is left open, every
 * look that begins at the beginning reads all that is dead (G9).
 */
class QueueMemoryTests {

	private static final QueueMarks MARKS = new QueueMarks(1000, Instant.parse("2026-03-10T12:00:00Z"));

	private final AtomicLong nanos = new AtomicLong(-5);

	private final QueueMemory memory = new QueueMemory(this.nanos::get);

	@BeforeEach
	void setUp() {
		assertThat(marks()).isEqualTo(QueueMarks.UNKNOWN);
		elapse(Duration.ofSeconds(1));
		assertThat(marks()).isEqualTo(MARKS);
	}

	private QueueMarks marks() {
		return this.memory.marks((known) -> MARKS);
	}

	private void elapse(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	@Test
	void theLineOfReadyKeysIsReadFromItsBeginningOnceInTenMinutes() {
		int beginnings = 0;
		for (int second = 2; second < 600; second++) {
			elapse(Duration.ofSeconds(1));
			beginnings += (marks().low() == 0) ? 1 : 0;
		}
		assertThat(beginnings).isZero();
		elapse(Duration.ofSeconds(2));
		assertThat(marks()).isEqualTo(QueueMarks.UNKNOWN);
	}

	@Test
	void whatIsDueIsLookedForFromTheBeginningOnceInAMinute() {
		int beginnings = 0;
		for (int second = 2; second < 100; second++) {
			elapse(Duration.ofSeconds(1));
			QueueMarks marks = marks();
			assertThat(marks.low()).isEqualTo(1000);
			beginnings += (marks.dueFrom() == null) ? 1 : 0;
		}
		assertThat(beginnings).isOne();
	}

	@Test
	void allIsForgottenAfterAFailure() {
		this.memory.forget();
		assertThat(this.memory.dueFrom()).isNull();
		assertThat(marks()).isEqualTo(QueueMarks.UNKNOWN);
	}

	@Test
	void theFirstLookIsDueAtOnce() {
		assertThat(this.memory.isLookDue()).isTrue();
		assertThat(this.memory.isLookDue()).isFalse();
		elapse(Duration.ofSeconds(1));
		assertThat(this.memory.isLookDue()).isTrue();
	}

}
