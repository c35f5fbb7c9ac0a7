package io.whizbang.queue;

import java.time.Duration;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.whizbang.observation.ObservationNames;
import io.whizbang.observation.RecentReading;
import io.whizbang.work.Queue;

/**
 * How the work queues stand, all together. Asked for at most every few seconds, and never
 * counted to their ends.
 */
public final class WorkQueueGauges implements MeterBinder {

	private final RecentReading<QueueTotals> totals;

	public WorkQueueGauges(Queues queues) {
		this.totals = new RecentReading<>("how work queues stand", queues::totals);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(ObservationNames.QUEUES_MESSAGES, "Messages in all work queues, at most " + Queues.MAX_COUNT,
				QueueTotals::messages)
			.register(registry);
		keys(registry, "ready", QueueTotals::ready);
		keys(registry, "waiting", QueueTotals::waiting);
		keys(registry, "locked", QueueTotals::locked);
		gauge(ObservationNames.QUEUES_OLDEST, "How long the first in line of any work queue has been waiting",
				WorkQueueGauges::oldest)
			.baseUnit("seconds")
			.register(registry);
		gauge(ObservationNames.DEAD_LETTERS, "Messages that will not be tried again", QueueTotals::deadLetters)
			.tag(ObservationNames.QUEUE, Queue.QUEUES.label())
			.register(registry);
	}

	private void keys(MeterRegistry registry, String status, ToDoubleFunction<QueueTotals> count) {
		gauge(ObservationNames.QUEUES_KEYS, "Keys of all work queues, at most " + Queues.MAX_COUNT, count)
			.tag(ObservationNames.STATUS, status)
			.register(registry);
	}

	private Gauge.Builder<WorkQueueGauges> gauge(String name, String description,
			ToDoubleFunction<QueueTotals> figure) {
		return Gauge.builder(name, this, (gauges) -> {
			QueueTotals now = gauges.totals.get();
			return (now != null) ? figure.applyAsDouble(now) : Double.NaN;
		}).description(description);
	}

	private static double oldest(QueueTotals totals) {
		Duration oldest = totals.oldest();
		return (oldest != null) ? oldest.toMillis() / 1000.0 : 0;
	}

}
