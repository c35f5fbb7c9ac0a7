package io.whizbang.autoconfigure.endpoint;

import io.whizbang.queue.QueueStatus;
import io.whizbang.queue.Queues;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Endpoint that shows work queues and their locked keys, and lets operators pause and
 * resume them.
 */
@WebEndpoint(id = "whizbangqueues")
public final class QueuesEndpoint {

	private static final int MOST_KEYS = 50;

	private final Queues queues;

	/**
	 * Creates an endpoint.
	 * @param queues shows and pauses work queues
	 */
	public QueuesEndpoint(Queues queues) {
		this.queues = queues;
	}

	@ReadOperation
	public WebEndpointResponse<?> list(@Nullable String after, @Nullable String limit) {
		return DeadLettersEndpoint
			.answer(() -> new WebEndpointResponse<>(QueuesBody.of(this.queues.list(after, Input.limit(limit)))));
	}

	@ReadOperation
	public WebEndpointResponse<?> show(@Selector String queue, @Nullable String limit) {
		return DeadLettersEndpoint.answer(() -> answer(queue, Input.limit(limit)));
	}

	/**
	 * Pauses or resumes a queue, over all instances.
	 * @param context who asks
	 * @param queue its name
	 * @param action {@code pause} or {@code resume}
	 * @return how it stands then
	 */
	@WriteOperation
	public WebEndpointResponse<?> act(SecurityContext context, @Selector String queue, @Selector String action) {
		return DeadLettersEndpoint.answer(() -> {
			// A name with a typo would stay paused, and nobody would know.
			if (this.queues.find(queue).isEmpty()) {
				return unknown(queue);
			}
			switch (action) {
				case "pause" -> this.queues.pause(queue,
						(context.getPrincipal() != null) ? context.getPrincipal().getName() : "actuator");
				case "resume" -> this.queues.resume(queue);
				default -> throw new IllegalArgumentException(
						"The action must be one of pause and resume but is '%s'".formatted(action));
			}
			OperatorLog.changed(context, action, "work queue", queue);
			return answer(queue, MOST_KEYS);
		});
	}

	private WebEndpointResponse<?> answer(String queue, int keys) {
		QueueStatus status = this.queues.find(queue).orElse(null);
		return (status != null) ? new WebEndpointResponse<>(QueuesBody.of(status, this.queues.keys(queue, keys)))
				: unknown(queue);
	}

	private static WebEndpointResponse<?> unknown(String queue) {
		return new WebEndpointResponse<>(new Problem("There is no work queue \"%s\"".formatted(queue)),
				WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
