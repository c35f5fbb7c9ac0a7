package io.whizbang.autoconfigure.endpoint;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.whizbang.job.JobStatus;
import io.whizbang.job.Jobs;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Endpoint that shows jobs and their runs, and lets operators trigger, pause and resume
 * them.
 */
@WebEndpoint(id = "whizbangjobs")
public final class JobsEndpoint {

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private final Jobs jobs;

	public JobsEndpoint(Jobs jobs) {
		this.jobs = jobs;
	}

	@ReadOperation
	public WebEndpointResponse<?> list(@Nullable String after, @Nullable String limit) {
		return answer(() -> new WebEndpointResponse<>(
				new JobsBody(JobsBody.jobs(this.jobs.list(after, Input.limit(limit))), null, null)));
	}

	@ReadOperation
	public WebEndpointResponse<?> show(@Selector String name, @Nullable String before, @Nullable String limit) {
		return answer(() -> found(name, (job) -> new JobsBody(JobsBody.jobs(List.of(job)),
				JobsBody.runs(this.jobs.runs(name, Input.before(before), Input.limit(limit))), null)));
	}

	@WriteOperation
	public WebEndpointResponse<?> act(@Selector String name, @Selector String action, SecurityContext security) {
		return answer(() -> found(name, (job) -> {
			Long triggered = perform(name, action);
			OperatorLog.changed(security, action, "job", name);
			return new JobsBody(JobsBody.jobs(this.jobs.find(name).stream().toList()), null, triggered);
		}));
	}

	private @Nullable Long perform(String name, String action) {
		switch (action) {
			case "trigger" -> {
				return this.jobs.triggerNow(name);
			}
			case "pause" -> this.jobs.disable(name);
			case "resume" -> this.jobs.enable(name);
			default -> throw new IllegalArgumentException(
					"The action must be one of trigger, pause and resume but is '%s'".formatted(action));
		}
		return null;
	}

	private WebEndpointResponse<?> found(String name, Function<JobStatus, JobsBody> answer) {
		return this.jobs.find(name)
			.<WebEndpointResponse<?>>map((job) -> new WebEndpointResponse<>(answer.apply(job)))
			.orElseGet(
					() -> new WebEndpointResponse<>(new Problem("There is no job \"%s\"".formatted(name)), NOT_FOUND));
	}

	private static WebEndpointResponse<?> answer(Supplier<WebEndpointResponse<?>> operation) {
		return DeadLettersEndpoint.answer(() -> {
			try {
				return operation.get();
			}
			catch (IllegalStateException ex) {
				return new WebEndpointResponse<>(new Problem(String.valueOf(ex.getMessage())), CONFLICT);
			}
		});
	}

}
