package io.whizbang.job;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.whizbang.observation.ObservationNames;
import io.whizbang.observation.RecentReading;

/**
 * Shows how jobs stand. While the database does not answer, the gauges have no value.
 */
public final class JobGauges implements MeterBinder {

	private final RecentReading<List<JobStatus>> jobs;

	public JobGauges(Supplier<List<JobStatus>> source) {
		this.jobs = new RecentReading<>("how jobs stand", source);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		bind(registry, "failing", JobStatus::failing);
		bind(registry, "stopped", (job) -> job.problem() != null);
		bind(registry, "missing", JobStatus::isHandlerMissing);
	}

	private void bind(MeterRegistry registry, String status, Predicate<JobStatus> which) {
		Gauge.builder(ObservationNames.JOBS, this, (gauges) -> gauges.count(which))
			.description("Jobs that need somebody to look")
			.tag(ObservationNames.STATUS, status)
			.register(registry);
	}

	private double count(Predicate<JobStatus> which) {
		List<JobStatus> jobs = this.jobs.get();
		return (jobs != null) ? jobs.stream().filter(which).count() : Double.NaN;
	}

}
