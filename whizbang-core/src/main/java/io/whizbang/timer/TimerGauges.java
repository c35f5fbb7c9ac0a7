package io.whizbang.timer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.whizbang.observation.ObservationNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows how many timers are pending. While the database does not answer, the gauge has no
 * value.
 */
public final class TimerGauges implements MeterBinder {

	private static final Logger logger = LoggerFactory.getLogger(TimerGauges.class);

	private final Timers timers;

	public TimerGauges(Timers timers) {
		this.timers = timers;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder(ObservationNames.TIMERS_PENDING, this.timers, TimerGauges::count)
			.description("Timers that have not fired, at most " + Timers.MAX_LIMIT)
			.register(registry);
	}

	private static double count(Timers timers) {
		try {
			return timers.count(Timers.MAX_LIMIT);
		}
		catch (RuntimeException ex) {
			logger.debug("Cannot count timers", ex);
			return Double.NaN;
		}
	}

}
