package io.whizbang.lease;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.whizbang.observation.ObservationNames;

/**
 * Counts what becomes of leases.
 */
public final class MicrometerLeaseListener implements LeaseListener {

	private final MeterProvider<Counter> acquired;

	private final MeterProvider<Counter> refused;

	private final MeterProvider<Counter> lost;

	private final MeterProvider<Counter> renewalFailures;

	public MicrometerLeaseListener(MeterRegistry registry) {
		this.acquired = counter(registry, ObservationNames.LEASES_ACQUIRED, "Leases that were acquired");
		this.refused = counter(registry, ObservationNames.LEASES_REFUSED,
				"Leases that were not acquired because somebody had them");
		this.lost = counter(registry, ObservationNames.LEASES_LOST, "Leases that ended before they were released");
		this.renewalFailures = counter(registry, ObservationNames.LEASE_RENEWAL_FAILURES,
				"Renewals of leases that failed and were tried again");
	}

	@Override
	public void acquired(String label) {
		this.acquired.withTag(ObservationNames.LEASE, label).increment();
	}

	@Override
	public void refused(String label) {
		this.refused.withTag(ObservationNames.LEASE, label).increment();
	}

	@Override
	public void lost(String label) {
		this.lost.withTag(ObservationNames.LEASE, label).increment();
	}

	@Override
	public void renewalFailed(Throwable failure) {
		this.renewalFailures.withTag(ObservationNames.EXCEPTION, failure.getClass().getSimpleName()).increment();
	}

	private static MeterProvider<Counter> counter(MeterRegistry registry, String name, String description) {
		return Counter.builder(name).description(description).withRegistry(registry);
	}

}
