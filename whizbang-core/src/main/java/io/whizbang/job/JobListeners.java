package io.whizbang.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several listeners that hear the same, whatever one of them makes of it.
 */
public final class JobListeners implements JobListener {

	private static final Logger logger = LoggerFactory.getLogger(JobListeners.class);

	private final List<JobListener> listeners;

	public JobListeners(List<JobListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void fired(String job, int runs) {
		tell((listener) -> listener.fired(job, runs));
	}

	@Override
	public void missed(String job, Instant latest) {
		tell((listener) -> listener.missed(job, latest));
	}

	@Override
	public void handedOver(String job, Duration lateness) {
		tell((listener) -> listener.handedOver(job, lateness));
	}

	@Override
	public void started(JobRun run, Duration lateness) {
		tell((listener) -> listener.started(run, lateness));
	}

	@Override
	public void ended(JobRun run, RunStatus status, Duration took, @Nullable Throwable failure) {
		tell((listener) -> listener.ended(run, status, took, failure));
	}

	@Override
	public void lost(JobRun run) {
		tell((listener) -> listener.lost(run));
	}

	@Override
	public void roundFailed(Throwable failure) {
		tell((listener) -> listener.roundFailed(failure));
	}

	private void tell(Consumer<JobListener> news) {
		for (JobListener listener : this.listeners) {
			try {
				news.accept(listener);
			}
			catch (RuntimeException ex) {
				// What it was told of has happened already.
				logger.warn("A listener of the jobs failed", ex);
			}
		}
	}

}
