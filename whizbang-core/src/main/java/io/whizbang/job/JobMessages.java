package io.whizbang.job;

import java.time.Instant;
import java.util.Map;

import io.whizbang.message.HeaderNames;
import io.whizbang.outbox.OutboxMessage;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of jobs that have a topic, in the transaction that writes their run.
 */
final class JobMessages {

	private final JobParts parts;

	JobMessages(JobParts parts) {
		this.parts = parts;
	}

	void send(String job, String topic, long runId, Instant scheduledAt, @Nullable String payload,
			@Nullable String payloadType) {
		OutboxMessage.Builder message = OutboxMessage.to(topic, read(payload))
			.header(HeaderNames.JOB, job)
			.header(HeaderNames.JOB_RUN, Long.toString(runId))
			.header(HeaderNames.JOB_SCHEDULED_AT, scheduledAt.toString());
		if (payloadType != null) {
			message.type(payloadType);
		}
		this.parts.requireOutbox(job).enqueue(message.build());
	}

	private Object read(@Nullable String payload) {
		return (payload != null) ? this.parts.codec().read(payload, Object.class) : Map.of();
	}

}
