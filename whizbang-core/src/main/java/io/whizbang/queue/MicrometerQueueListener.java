package io.whizbang.queue;

import java.time.Duration;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.whizbang.observation.ObservationNames;

/**
 * Counts and times what becomes of the messages of work queues.
 */
public final class MicrometerQueueListener implements QueueListener {

	private static final Duration[] BUCKETS = { Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1),
			Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(10) };

	private final MeterProvider<Timer> lateness;

	private final MeterProvider<Timer> calls;

	private final MeterProvider<Counter> consumed;

	private final MeterProvider<Counter> failures;

	private final MeterProvider<Counter> lost;

	private final MeterProvider<Counter> roundFailures;

	public MicrometerQueueListener(MeterRegistry registry) {
		this.lateness = Timer.builder(ObservationNames.QUEUES_LATENESS)
			.description("How long the first message of a batch waited")
			.serviceLevelObjectives(BUCKETS)
			.maximumExpectedValue(Duration.ofMinutes(10))
			.withRegistry(registry);
		this.calls = Timer.builder(ObservationNames.QUEUES_CALLS)
			.description("Calls of consumers that ended well")
			.withRegistry(registry);
		this.consumed = counter(registry, ObservationNames.QUEUES_CONSUMED, "Messages that were consumed");
		this.failures = counter(registry, ObservationNames.QUEUES_FAILURES, "Calls of consumers that failed");
		this.lost = counter(registry, ObservationNames.QUEUES_LOST,
				"Batches whose lock was over before their end could be told");
		this.roundFailures = counter(registry, ObservationNames.ROUND_FAILURES, "Rounds of the loop that failed");
	}

	private static MeterProvider<Counter> counter(MeterRegistry registry, String name, String description) {
		return Counter.builder(name).description(description).withRegistry(registry);
	}

	@Override
	public void taken(QueueBatch batch, Duration lateness) {
		this.lateness.withTag(ObservationNames.QUEUE, batch.queue()).record(lateness);
	}

	@Override
	public void consumed(QueueBatch batch, int messages, Duration took) {
		this.calls.withTag(ObservationNames.QUEUE, batch.queue()).record(took);
		this.consumed.withTag(ObservationNames.QUEUE, batch.queue()).increment(messages);
	}

	@Override
	public void failed(QueueBatch batch, Throwable failure, boolean again) {
		this.failures
			.withTags(ObservationNames.QUEUE, batch.queue(), ObservationNames.EXCEPTION,
					failure.getClass().getSimpleName())
			.increment();
	}

	@Override
	public void lost(QueueBatch batch) {
		this.lost.withTag(ObservationNames.QUEUE, batch.queue()).increment();
	}

	@Override
	public void roundFailed(Throwable failure) {
		this.roundFailures
			.withTags(ObservationNames.QUEUE, QueueWorker.LABEL, ObservationNames.EXCEPTION,
					failure.getClass().getSimpleName())
			.increment();
	}

}
