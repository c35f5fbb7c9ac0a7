package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.whizbang.observation.BoundedNames;
import io.whizbang.observation.ObservationNames;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times what becomes of jobs.
 */
public final class MicrometerJobListener implements JobListener {

	private static final Duration[] BUCKETS = { Duration.ofMillis(5), Duration.ofMillis(20), Duration.ofMillis(100),
			Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(30),
			Duration.ofMinutes(1), Duration.ofMinutes(10), Duration.ofHours(1) };

	private final BoundedNames names = new BoundedNames();

	private final MeterProvider<Timer> runs;

	private final MeterProvider<Timer> lateness;

	private final MeterProvider<Counter> lost;

	private final MeterProvider<Counter> missed;

	private final MeterProvider<Counter> roundFailures;

	public MicrometerJobListener(MeterRegistry registry) {
		this.runs = Timer.builder(ObservationNames.JOB_RUNS)
			.description("Runs of jobs, by how they ended")
			.withRegistry(registry);
		this.lateness = Timer.builder(ObservationNames.JOB_LATENESS)
			.description("How long after its time a run begins")
			.serviceLevelObjectives(BUCKETS)
			.maximumExpectedValue(Duration.ofHours(1))
			.withRegistry(registry);
		this.lost = Counter.builder(ObservationNames.JOB_RUNS_LOST)
			.description("Runs that were another instance's when their handler ended")
			.withRegistry(registry);
		this.missed = Counter.builder(ObservationNames.JOB_MISFIRES)
			.description("How often a job was found to have missed times")
			.withRegistry(registry);
		this.roundFailures = Counter.builder(ObservationNames.ROUND_FAILURES)
			.description("Rounds of the loop that failed")
			.withRegistry(registry);
	}

	@Override
	public void started(JobRun run, Duration lateness) {
		if (!run.triggered() && run.attempt() == 1) {
			late(run.job(), lateness);
		}
	}

	@Override
	public void handedOver(String job, Duration lateness) {
		late(job, lateness);
		this.runs.withTags(ObservationNames.JOB, this.names.of(job), ObservationNames.OUTCOME, "succeeded")
			.record(Duration.ZERO);
	}

	private void late(String job, Duration lateness) {
		this.lateness.withTag(ObservationNames.JOB, this.names.of(job)).record(lateness);
	}

	@Override
	public void ended(JobRun run, RunStatus status, Duration took, @Nullable Throwable failure) {
		this.runs
			.withTags(ObservationNames.JOB, this.names.of(run.job()), ObservationNames.OUTCOME,
					status.name().toLowerCase(Locale.ROOT))
			.record(took);
	}

	@Override
	public void lost(JobRun run) {
		this.lost.withTag(ObservationNames.JOB, this.names.of(run.job())).increment();
	}

	@Override
	public void missed(String job, Instant latest) {
		this.missed.withTag(ObservationNames.JOB, this.names.of(job)).increment();
	}

	@Override
	public void roundFailed(Throwable failure) {
		this.roundFailures
			.withTags(ObservationNames.QUEUE, JobWorker.LABEL, ObservationNames.EXCEPTION,
					failure.getClass().getSimpleName())
			.increment();
	}

}
