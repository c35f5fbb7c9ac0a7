package io.whizbang.control;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ThroughputTests {

	private static final Work WORK = new Work(new Claim(1, UUID.randomUUID()), 1, 0, null,
			new Envelope(MessageId.next(), "orders", "Type", null, Map.of(), "{}", Instant.EPOCH));

	private final AtomicLong now = new AtomicLong(Duration.ofSeconds(-30).toNanos());

	private final Throughput throughput = new Throughput(this.now::get);

	@Test
	void countsWhatHasEndedSecondBySecond() {
		ended(Outcome.DONE);
		ended(Outcome.DONE);
		ended(new Outcome.Retry(Duration.ZERO, "later"));
		pass(1);
		ended(Outcome.DONE);
		ended(new Outcome.Postpone(Duration.ZERO, "nobody"));
		pass(1);
		assertThat(this.throughput.done(Queue.OUTBOX)).hasSize(Throughput.SECONDS).endsWith(0L, 2L, 1L);
		assertThat(this.throughput.failed(Queue.OUTBOX)).endsWith(0L, 1L, 0L);
		assertThat(this.throughput.done(Queue.INBOX)).containsOnly(0L);
	}

	@Test
	void forgetsWhatIsOlderThanAMinute() {
		ended(Outcome.DONE);
		pass(64);
		ended(Outcome.DONE);
		pass(1);
		assertThat(Collections.frequency(this.throughput.done(Queue.OUTBOX), 1L)).isEqualTo(1);
		pass(1000);
		assertThat(this.throughput.done(Queue.OUTBOX)).containsOnly(0L);
	}

	private void ended(Outcome outcome) {
		this.throughput.ended(Queue.OUTBOX, WORK, outcome);
	}

	private void pass(int seconds) {
		this.now.addAndGet(Duration.ofSeconds(seconds).toNanos());
	}

}
