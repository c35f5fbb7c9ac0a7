package io.whizbang.fanout;

import java.time.Duration;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.whizbang.observation.BoundedNames;
import io.whizbang.observation.ObservationNames;

/**
 * Counts and times what becomes of fan-outs.
 */
public final class MicrometerFanoutListener implements FanoutListener {

	private static final Duration[] BUCKETS = { Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(10),
			Duration.ofMinutes(1), Duration.ofMinutes(10), Duration.ofHours(1) };

	/** The topics are those of planners; work keys may come from data. */
	private final BoundedNames works = new BoundedNames();

	private final MeterProvider<Counter> planned;

	private final MeterProvider<Timer> slices;

	private final MeterProvider<Counter> repeated;

	private final MeterProvider<Timer> lateness;

	private final MeterProvider<Timer> runs;

	private final MeterProvider<Counter> failed;

	private final MeterProvider<Counter> refused;

	private final MeterProvider<Counter> roundFailures;

	public MicrometerFanoutListener(MeterRegistry registry) {
		this.planned = counter(registry, ObservationNames.FANOUT_PLANNED, "Slices that were planned");
		this.slices = Timer.builder(ObservationNames.FANOUT_SLICES)
			.description("Slices that were completed, by their handlers")
			.withRegistry(registry);
		this.repeated = counter(registry, ObservationNames.FANOUT_REPEATED,
				"Slices that came when their window was completed already");
		this.lateness = Timer.builder(ObservationNames.FANOUT_LATENESS)
			.description("How long after the end of its window a slice begins")
			.serviceLevelObjectives(BUCKETS)
			.maximumExpectedValue(Duration.ofHours(1))
			.withRegistry(registry);
		this.runs = Timer.builder(ObservationNames.FANOUT_RUNS)
			.description("Runs that asked a planner to its end")
			.withRegistry(registry);
		this.failed = counter(registry, ObservationNames.FANOUT_RUN_FAILURES, "Runs that failed");
		this.refused = counter(registry, ObservationNames.FANOUT_REFUSED, "Candidates that were wrong");
		this.roundFailures = counter(registry, ObservationNames.ROUND_FAILURES, "Rounds of the loop that failed");
	}

	private static MeterProvider<Counter> counter(MeterRegistry registry, String name, String description) {
		return Counter.builder(name).description(description).withRegistry(registry);
	}

	@Override
	public void planned(String topic, int slices) {
		this.planned.withTag(ObservationNames.TOPIC, topic).increment(slices);
	}

	@Override
	public void ran(String topic, Duration lateness, Duration took) {
		this.runs.withTag(ObservationNames.TOPIC, topic).record(took);
	}

	@Override
	public void failed(String topic, Throwable failure) {
		this.failed
			.withTags(ObservationNames.TOPIC, topic, ObservationNames.EXCEPTION, failure.getClass().getSimpleName())
			.increment();
	}

	@Override
	public void refused(String topic, String problem) {
		this.refused.withTag(ObservationNames.TOPIC, topic).increment();
	}

	@Override
	public void completed(FanoutSlice slice, Duration lateness, Duration took) {
		this.slices
			.withTags(ObservationNames.TOPIC, slice.topic(), ObservationNames.WORK, this.works.of(slice.workKey()))
			.record(took);
		this.lateness
			.withTags(ObservationNames.TOPIC, slice.topic(), ObservationNames.WORK, this.works.of(slice.workKey()))
			.record(lateness);
	}

	@Override
	public void repeated(FanoutSlice slice) {
		this.repeated
			.withTags(ObservationNames.TOPIC, slice.topic(), ObservationNames.WORK, this.works.of(slice.workKey()))
			.increment();
	}

	@Override
	public void roundFailed(Throwable failure) {
		this.roundFailures
			.withTags(ObservationNames.QUEUE, FanoutWorker.LABEL, ObservationNames.EXCEPTION,
					failure.getClass().getSimpleName())
			.increment();
	}

}
