package io.whizbang.join;

import java.util.function.ToIntFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.whizbang.observation.ObservationNames;
import io.whizbang.observation.RecentReading;

/**
 * Shows how much of joins is under way. While the database does not answer, the gauges
 * have no value.
 */
public final class JoinGauges implements MeterBinder {

	/** Nobody needs to know more exactly. */
	private static final int MOST = 10_000;

	private final RecentReading<JoinCount> counts;

	public JoinGauges(JdbcJoinStore store) {
		this.counts = new RecentReading<>("how many joins are open", () -> store.count(MOST));
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		bind(registry, ObservationNames.JOINS_OPEN, "Joins that are open, at most " + MOST, JoinCount::open);
		bind(registry, ObservationNames.JOINS_UNCOUNTED, "Reports that are not counted yet, at most " + MOST,
				JoinCount::reports);
	}

	private void bind(MeterRegistry registry, String name, String description, ToIntFunction<JoinCount> number) {
		Gauge.builder(name, this, (gauges) -> gauges.read(number)).description(description).register(registry);
	}

	private double read(ToIntFunction<JoinCount> number) {
		JoinCount count = this.counts.get();
		return (count != null) ? number.applyAsInt(count) : Double.NaN;
	}

}
