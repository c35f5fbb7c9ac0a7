package io.whizbang.job;

import java.time.Instant;

import io.whizbang.schedule.Cadence;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Writes definitions, in the current transaction.
 */
final class JobDefinitions {

	private final JobParts parts;

	JobDefinitions(JobParts parts) {
		this.parts = parts;
	}

	JobChange write(JobDefinition definition) {
		if (definition.topic() != null) {
			this.parts.requireOutbox(definition.name());
		}
		Object payload = definition.payload();
		String json = (payload != null) ? this.parts.codec().write(payload) : null;
		RetryPolicy retry = (definition.retry() != null) ? definition.retry() : this.parts.settings().retry();
		Instant next = next(definition.cadence());
		return this.parts.store().define(definition, retry, json, next, this.parts.info().serviceName());
	}

	/** The first time from now on, by the database's clock. */
	@Nullable Instant next(Cadence cadence) {
		return cadence.after(this.parts.store().now());
	}

}
