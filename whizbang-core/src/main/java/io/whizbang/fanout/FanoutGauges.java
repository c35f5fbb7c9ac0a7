package io.whizbang.fanout;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.whizbang.observation.ObservationNames;
import io.whizbang.observation.RecentReading;

/**
 * Shows how fan-outs stand. While the database does not answer, the gauges have no value.
 */
public final class FanoutGauges implements MeterBinder {

	private final RecentReading<List<FanoutTopic>> fanouts;

	/**
	 * Creates the gauges.
	 * @param source the fan-outs, no more than a thousand
	 */
	public FanoutGauges(Supplier<List<FanoutTopic>> source) {
		this.fanouts = new RecentReading<>("how fan-outs stand", source);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		bind(registry, "failing", FanoutTopic::isFailing);
		bind(registry, "wrong", (fanout) -> !fanout.isFailing() && fanout.problem() != null);
		bind(registry, "missing", FanoutTopic::isPlannerMissing);
	}

	private void bind(MeterRegistry registry, String status, Predicate<FanoutTopic> which) {
		Gauge.builder(ObservationNames.FANOUTS, this, (gauges) -> gauges.count(which))
			.description("Fan-outs that need somebody to look")
			.tag(ObservationNames.STATUS, status)
			.register(registry);
	}

	private double count(Predicate<FanoutTopic> which) {
		List<FanoutTopic> all = this.fanouts.get();
		return (all != null) ? all.stream().filter(which).count() : Double.NaN;
	}

}
