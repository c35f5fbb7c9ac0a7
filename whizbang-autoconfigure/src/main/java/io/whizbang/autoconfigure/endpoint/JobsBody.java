package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.job.JobStatus;
import io.whizbang.job.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * How jobs stand, as JSON.
 *
 * @param jobs the jobs
 * @param runs runs of a job, where they were asked for
 * @param triggered number of the run that was triggered
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record JobsBody(List<Job> jobs, @Nullable List<Run> runs, @Nullable Long triggered) {

	static List<Job> jobs(List<JobStatus> jobs) {
		return jobs.stream().map(Job::of).toList();
	}

	static List<Run> runs(List<RunRecord> runs) {
		return runs.stream().map(Run::of).toList();
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Job(String name, @Nullable String handler, @Nullable String topic, @Nullable String cron,
			@Nullable String every, String zone, boolean enabled, boolean paused, String misfire, boolean overlap,
			@Nullable Instant nextRun, @Nullable Instant lastFired, int openRuns, boolean failing,
			@Nullable String problem, boolean handlerPresent, @Nullable Instant handlerSeenAt, String definedBy,
			@Nullable Run lastRun) {

		static Job of(JobStatus job) {
			return new Job(job.name(), job.handler(), job.topic(), job.cron(),
					(job.every() != null) ? job.every().toString() : null, job.zone(), job.enabled(), job.paused(),
					job.misfire().name().toLowerCase(Locale.ROOT), job.overlap(), job.nextRun(), job.lastFired(),
					job.openRuns(), job.failing(), job.problem(), job.handlerPresent(), job.handlerSeenAt(),
					job.definedBy(), (job.lastRun() != null) ? Run.of(job.lastRun()) : null);
		}

	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Run(long id, Instant scheduledAt, boolean triggered, String status, int attempts,
			@Nullable Instant startedAt, @Nullable Instant endedAt, @Nullable Long durationMs,
			@Nullable String instance, @Nullable String error) {

		static Run of(RunRecord run) {
			return new Run(run.id(), run.scheduledAt(), run.triggered(), run.status().name().toLowerCase(Locale.ROOT),
					run.attempts(), run.startedAt(), run.endedAt(),
					(run.duration() != null) ? run.duration().toMillis() : null, run.instance(), run.error());
		}

	}

}
