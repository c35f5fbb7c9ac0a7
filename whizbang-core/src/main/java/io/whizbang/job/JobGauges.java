package io.whizbang.job;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.whizbang.observation.ObservationNames;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows how jobs stand. While the database does not answer, the gauges have no value.
 */
public final class JobGauges implements MeterBinder {

	private static final Logger logger = LoggerFactory.getLogger(JobGauges.class);

	private static final long MAX_AGE = Duration.ofSeconds(5).toNanos();

	private final Supplier<List<JobStatus>> source;

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable List<JobStatus> last;

	private long readAt = System.nanoTime() - MAX_AGE - 1;

	public JobGauges(Supplier<List<JobStatus>> source) {
		this.source = source;
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
		List<JobStatus> jobs = jobs();
		return (jobs != null) ? jobs.stream().filter(which).count() : Double.NaN;
	}

	private @Nullable List<JobStatus> jobs() {
		this.lock.lock();
		try {
			if (System.nanoTime() - this.readAt > MAX_AGE) {
				this.last = read();
				this.readAt = System.nanoTime();
			}
			return this.last;
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable List<JobStatus> read() {
		try {
			return this.source.get();
		}
		catch (RuntimeException ex) {
			// Health and the worker's log say that the database is away.
			logger.debug("Cannot read how jobs stand", ex);
			return null;
		}
	}

}
