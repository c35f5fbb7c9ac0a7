package io.whizbang.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes runs of jobs, each try for itself. Without an observation registry nothing is
 * observed and nothing is paid.
 */
public final class JobObservations {

	/** Observes nothing. */
	public static final JobObservations NONE = new JobObservations(ObservationRegistry.NOOP, null);

	private final ObservationRegistry registry;

	private final BoundedNames jobs = new BoundedNames();

	private final @Nullable RunConvention runConvention;

	/**
	 * Creates observations.
	 * @param registry who wants to know
	 * @param runConvention the application's own names and tags, or {@code null}
	 */
	public JobObservations(ObservationRegistry registry, @Nullable RunConvention runConvention) {
		this.registry = registry;
		this.runConvention = runConvention;
	}

	/**
	 * Observes a try of a run.
	 * @param <E> what the handler may throw
	 * @param job the job's name
	 * @param run the run's number
	 * @param attempt which try it is, from 1
	 * @param running what the handler does
	 * @throws E what the handler throws
	 */
	public <E extends Exception> void run(String job, long run, int attempt, Observation.CheckedRunnable<E> running)
			throws E {
		if (this.registry.isNoop()) {
			running.run();
			return;
		}
		WhizbangObservation.RUN
			.observation(this.runConvention, RunConvention.Default.INSTANCE,
					() -> new RunContext(job, this.jobs.of(job), run, attempt), this.registry)
			.observeChecked(running);
	}

}
