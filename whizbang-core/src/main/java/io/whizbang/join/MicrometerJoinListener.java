package io.whizbang.join;

import java.util.Locale;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.whizbang.observation.ObservationNames;

/**
 * Counts what becomes of joins.
 */
public final class MicrometerJoinListener implements JoinListener {

	private final Counter reports;

	private final MeterProvider<Counter> closed;

	private final Counter followUpFailures;

	private final MeterProvider<Counter> roundFailures;

	public MicrometerJoinListener(MeterRegistry registry) {
		this.reports = Counter.builder(ObservationNames.JOIN_REPORTS)
			.description("Reports of members of joins that were counted")
			.register(registry);
		this.closed = Counter.builder(ObservationNames.JOIN_CLOSED)
			.description("Joins that were closed")
			.withRegistry(registry);
		// What appears with its first event has not grown, and no rule would fire.
		closed(JoinStatus.EXPIRED);
		this.followUpFailures = Counter.builder(ObservationNames.JOIN_FOLLOW_UP_FAILURES)
			.description("Messages that follow joins and were refused by the outbox")
			.register(registry);
		this.roundFailures = Counter.builder(ObservationNames.ROUND_FAILURES)
			.description("Rounds of the loop that failed")
			.withRegistry(registry);
	}

	@Override
	public void counted(int reports) {
		this.reports.increment(reports);
	}

	@Override
	public void closed(JoinResult result) {
		closed(result.status()).increment();
	}

	private Counter closed(JoinStatus status) {
		return this.closed.withTag(ObservationNames.STATUS, status.name().toLowerCase(Locale.ROOT));
	}

	@Override
	public void followUpFailed(JoinResult result, Throwable failure) {
		this.followUpFailures.increment();
	}

	@Override
	public void roundFailed(Throwable failure) {
		this.roundFailures
			.withTags(ObservationNames.QUEUE, JoinWorker.LABEL, ObservationNames.EXCEPTION,
					failure.getClass().getSimpleName())
			.increment();
	}

}
