package io.whizbang.perspective;

import java.time.Duration;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.whizbang.message.StreamId;
import io.whizbang.observation.ObservationNames;
import io.whizbang.work.Queue;

/**
 * Counts and times what perspectives do.
 */
public final class MicrometerPerspectiveListener implements PerspectiveListener {

	private final MeterProvider<Counter> events;

	private final MeterProvider<Timer> pages;

	private final MeterProvider<Counter> failures;

	private final MeterProvider<Counter> shardsLost;

	private final MeterProvider<Counter> roundFailures;

	public MicrometerPerspectiveListener(MeterRegistry registry) {
		this.events = counter(registry, ObservationNames.PERSPECTIVE_EVENTS,
				"Events that perspectives have applied or passed");
		this.pages = Timer.builder(ObservationNames.PERSPECTIVE_PAGES)
			.description("Pages of events that perspectives have applied")
			.withRegistry(registry);
		this.failures = counter(registry, ObservationNames.PERSPECTIVE_FAILURES, "Failures of events in perspectives");
		this.shardsLost = counter(registry, ObservationNames.PERSPECTIVE_SHARDS_LOST,
				"Pages that were rolled back because another instance had taken over");
		this.roundFailures = counter(registry, ObservationNames.ROUND_FAILURES, "Rounds of the loop that failed");
	}

	/**
	 * Shows zero for trouble that a perspective has not had: what appears with its first
	 * event has not grown, and no rule would fire.
	 * @param perspective its name
	 */
	public void expect(String perspective) {
		this.shardsLost.withTag(ObservationNames.PERSPECTIVE, perspective);
	}

	@Override
	public void applied(PerspectiveRun run, int applied, int passed, Duration took) {
		this.pages.withTag(ObservationNames.PERSPECTIVE, run.name()).record(took);
		count(run, "applied", applied);
		count(run, "passed", passed);
	}

	private void count(PerspectiveRun run, String outcome, int count) {
		if (count > 0) {
			this.events.withTags(ObservationNames.PERSPECTIVE, run.name(), ObservationNames.OUTCOME, outcome)
				.increment(count);
		}
	}

	@Override
	public void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
		fail(run, "retried", failure);
	}

	@Override
	public void dead(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
		fail(run, "dead", failure);
	}

	private void fail(PerspectiveRun run, String outcome, Throwable failure) {
		this.failures
			.withTags(ObservationNames.PERSPECTIVE, run.name(), ObservationNames.OUTCOME, outcome,
					ObservationNames.EXCEPTION, failure.getClass().getSimpleName())
			.increment();
	}

	@Override
	public void shardLost(PerspectiveRun run) {
		this.shardsLost.withTag(ObservationNames.PERSPECTIVE, run.name()).increment();
	}

	@Override
	public void roundFailed(Throwable failure) {
		this.roundFailures
			.withTags(ObservationNames.QUEUE, Queue.PERSPECTIVES.label(), ObservationNames.EXCEPTION,
					failure.getClass().getSimpleName())
			.increment();
	}

	private static MeterProvider<Counter> counter(MeterRegistry registry, String name, String description) {
		return Counter.builder(name).description(description).withRegistry(registry);
	}

}
