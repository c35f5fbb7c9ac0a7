package io.whizbang.job;

import java.util.List;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.JobObservations;
import io.whizbang.outbox.Outbox;
import org.jspecify.annotations.Nullable;

/**
 * What jobs are made of.
 *
 * @param store where they are kept
 * @param handlers what runs, and what is defined in code
 * @param codec how payloads are written and read
 * @param outbox where messages of jobs go, or {@code null} when there is none
 * @param settings how this instance goes about them
 * @param info who this instance is
 * @param listener who wants to know
 * @param observations who observes
 */
public record JobParts(JdbcJobStore store, JobHandlers handlers, MessageCodec codec, @Nullable Outbox outbox,
		JobSettings settings, InstanceInfo info, JobListener listener, JobObservations observations) {

	public JobParts {
		listener = (listener instanceof JobListeners) ? listener : new JobListeners(List.of(listener));
	}

	/** The instance in one line, for people. */
	String instance() {
		return "%s@%s:%d".formatted(this.info.serviceName(), this.info.hostName(), this.info.processId());
	}

	Outbox requireOutbox(String job) {
		if (this.outbox == null) {
			throw new IllegalStateException(
					"The job \"%s\" sends a message, which needs the outbox; do not switch it off, or let the job have a handler"
						.formatted(job));
		}
		return this.outbox;
	}

}
