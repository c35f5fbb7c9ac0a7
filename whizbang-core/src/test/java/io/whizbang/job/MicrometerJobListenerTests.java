package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MicrometerJobListenerTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerJobListener listener = new MicrometerJobListener(this.registry);

	@Test
	void showsLatenessAsADistributionForEachJob() {
		this.listener.started(run("nightly", false, 1), Duration.ofMillis(3));
		this.listener.started(run("nightly", false, 1), Duration.ofMinutes(40));
		this.listener.handedOver("reminders", Duration.ofMillis(300));
		assertThat(lateness("nightly").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(2_400_003);
		assertThat(bucket("nightly", Duration.ofMillis(5))).isEqualTo(1);
		assertThat(bucket("nightly", Duration.ofMinutes(10))).isEqualTo(1);
		assertThat(bucket("nightly", Duration.ofHours(1))).isEqualTo(2);
		assertThat(bucket("reminders", Duration.ofMillis(100))).isZero();
		assertThat(bucket("reminders", Duration.ofMillis(500))).isEqualTo(1);
	}

	@Test
	void aRunThatWasTriggeredOrIsTriedAgainIsNotLate() {
		this.listener.started(run("nightly", true, 1), Duration.ofMillis(3));
		this.listener.started(run("nightly", false, 2), Duration.ofMinutes(1));
		assertThat(this.registry.find("whizbang.job.lateness").timers()).isEmpty();
	}

	@Test
	void doesNotGrowWithJobsThatAreMadeUp() {
		for (int i = 0; i < 1_000; i++) {
			this.listener.missed("job" + i, Instant.EPOCH);
		}
		assertThat(this.registry.find("whizbang.job.misfires").counters()).hasSize(201);
		assertThat(this.registry.get("whizbang.job.misfires").tag("job", "other").counter().count()).isEqualTo(800);
	}

	@Test
	void countsWhatEndsIsLostAndIsMissed() {
		JobRun run = run("nightly", false, 1);
		this.listener.ended(run, RunStatus.SUCCEEDED, Duration.ofSeconds(2), null);
		this.listener.ended(run, RunStatus.RETRYING, Duration.ofSeconds(1), new IllegalStateException());
		this.listener.lost(run);
		this.listener.missed("nightly", Instant.EPOCH);
		this.listener.roundFailed(new IllegalStateException());
		assertThat(this.registry.get("whizbang.job.runs")
			.tags("job", "nightly", "outcome", "succeeded")
			.timer()
			.totalTime(TimeUnit.SECONDS)).isEqualTo(2);
		assertThat(this.registry.get("whizbang.job.runs").tags("job", "nightly", "outcome", "retrying").timer().count())
			.isOne();
		assertThat(this.registry.get("whizbang.job.runs.lost").tag("job", "nightly").counter().count()).isOne();
		assertThat(this.registry.get("whizbang.job.misfires").tag("job", "nightly").counter().count()).isOne();
		assertThat(this.registry.get("whizbang.round.failures")
			.tags("queue", "jobs", "exception", "IllegalStateException")
			.counter()
			.count()).isOne();
	}

	private static JobRun run(String job, boolean triggered, int attempt) {
		return new JobRun(1, job, Instant.EPOCH, triggered, attempt, 1);
	}

	private Timer lateness(String job) {
		return this.registry.get("whizbang.job.lateness").tag("job", job).timer();
	}

	private double bucket(String job, Duration most) {
		return Arrays.stream(lateness(job).takeSnapshot().histogramCounts())
			.filter((bucket) -> bucket.bucket(TimeUnit.MILLISECONDS) == most.toMillis())
			.mapToDouble(CountAtBucket::count)
			.findFirst()
			.orElseThrow();
	}

}
