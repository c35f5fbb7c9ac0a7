package io.whizbang.observation;

import java.time.Duration;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.whizbang.coordinator.JdbcQueueStatistics;
import io.whizbang.coordinator.QueueStatistics;

/**
 * Shows how a queue stands. While the database does not answer, the gauges have no value.
 */
public final class QueueGauges implements MeterBinder {

	private final JdbcQueueStatistics statistics;

	public QueueGauges(JdbcQueueStatistics statistics) {
		this.statistics = statistics;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		messages(registry, "ready", QueueStatistics::ready);
		messages(registry, "waiting", QueueStatistics::waiting);
		messages(registry, "parked", QueueStatistics::parked);
		messages(registry, "scheduled", QueueStatistics::scheduled);
		gauge(ObservationNames.OLDEST_AGE, "Age of the oldest message that is ready or waits", QueueGauges::oldestAge)
			.baseUnit("seconds")
			.register(registry);
		gauge(ObservationNames.CLAIMS, "Batches in the hands of instances", QueueStatistics::claims).register(registry);
		gauge(ObservationNames.DEAD_LETTERS, "Messages that will not be tried again", QueueStatistics::deadLetters)
			.register(registry);
	}

	private void messages(MeterRegistry registry, String status, ToDoubleFunction<QueueStatistics> figure) {
		gauge(ObservationNames.QUEUE_MESSAGES, "Messages in the queue, at most " + QueueStatistics.LIMIT, figure)
			.tag(ObservationNames.STATUS, status)
			.register(registry);
	}

	private Gauge.Builder<JdbcQueueStatistics> gauge(String name, String description,
			ToDoubleFunction<QueueStatistics> figure) {
		return Gauge.builder(name, this.statistics, (reader) -> {
			QueueStatistics now = reader.get();
			return (now != null) ? figure.applyAsDouble(now) : Double.NaN;
		}).description(description).tag(ObservationNames.QUEUE, this.statistics.queue().label());
	}

	private static double oldestAge(QueueStatistics statistics) {
		Duration oldest = statistics.oldest();
		return (oldest != null) ? (double) oldest.toMillis() / 1000 : 0;
	}

}
