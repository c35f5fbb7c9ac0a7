package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MicrometerTimerListenerTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerTimerListener listener = new MicrometerTimerListener(this.registry);

	@Test
	void showsLatenessAsADistribution() {
		ended(0, 3_000, new Outcome.Done());
		ended(0, 40_000, new Outcome.Retry(Duration.ofSeconds(1), "no"));
		ended(0, 200_000_000, new Outcome.Dead("no", "no"));
		assertThat(lateness().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(200_043);
		assertThat(bucket(Duration.ofMillis(5))).isEqualTo(1);
		assertThat(bucket(Duration.ofMillis(100))).isEqualTo(2);
		assertThat(bucket(Duration.ofSeconds(30))).isEqualTo(2);
		assertThat(bucket(Duration.ofMinutes(5))).isEqualTo(3);
	}

	@Test
	void countsTheFirstDeliveryOfATimerOnly() {
		ended(1, 3_000, new Outcome.Done());
		ended(0, 3_000, new Outcome.Release());
		ended(0, 3_000, new Outcome.Postpone(Duration.ofSeconds(1), "nobody takes it"));
		this.listener.ended(Queue.INBOX, work(0, header(3_000)), new Outcome.Done());
		this.listener.ended(Queue.OUTBOX, work(0, Map.of()), new Outcome.Done());
		assertThat(lateness().count()).isZero();
	}

	private void ended(int attempts, long micros, Outcome outcome) {
		this.listener.ended(Queue.OUTBOX, work(attempts, header(micros)), outcome);
	}

	private static Map<String, String> header(long micros) {
		return Map.of(HeaderNames.TIMER_ID, UUID.randomUUID().toString(), HeaderNames.TIMER_DUE,
				Instant.EPOCH.toString(), HeaderNames.TIMER_LATE, String.valueOf(micros));
	}

	private static Work work(int attempts, Map<String, String> headers) {
		return new Work(new Claim(1, UUID.randomUUID()), 1, attempts, null,
				new Envelope(MessageId.next(), "reminders", "Type", null, headers, "{}", Instant.EPOCH));
	}

	private Timer lateness() {
		return this.registry.get("whizbang.timer.lateness").timer();
	}

	private double bucket(Duration most) {
		return Arrays.stream(lateness().takeSnapshot().histogramCounts())
			.filter((bucket) -> bucket.bucket(TimeUnit.MILLISECONDS) == most.toMillis())
			.mapToDouble(CountAtBucket::count)
			.findFirst()
			.orElseThrow();
	}

}
