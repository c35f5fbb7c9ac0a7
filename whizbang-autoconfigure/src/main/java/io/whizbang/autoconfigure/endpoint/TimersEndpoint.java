package io.whizbang.autoconfigure.endpoint;

import java.util.Optional;

import io.whizbang.timer.PendingTimer;
import io.whizbang.timer.TimerId;
import io.whizbang.timer.Timers;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.Assert;

/**
 * Endpoint to count, find and cancel pending timers. Reading is a GET, cancelling a
 * DELETE.
 */
@WebEndpoint(id = "whizbangtimers")
public final class TimersEndpoint {

	private final Timers timers;

	public TimersEndpoint(Timers timers) {
		this.timers = timers;
	}

	@ReadOperation
	public WebEndpointResponse<?> list(@Nullable String key, @Nullable String topic, @Nullable String after,
			@Nullable String limit) {
		return DeadLettersEndpoint.answer(() -> {
			if (key != null) {
				return found(this.timers.find(key), false, "with the key \"%s\"".formatted(key));
			}
			return new WebEndpointResponse<>(TimersBody.of(this.timers.count(Timers.MAX_LIMIT),
					this.timers.list(topic, after, Input.limit(limit))));
		});
	}

	@ReadOperation
	public WebEndpointResponse<?> show(@Selector String id) {
		return DeadLettersEndpoint.answer(() -> found(this.timers.find(TimerId.of(id)), true, id));
	}

	@DeleteOperation
	public WebEndpointResponse<?> cancel(@Selector String id, SecurityContext security) {
		return DeadLettersEndpoint.answer(() -> cancelled(this.timers.cancel(TimerId.of(id)), id, security));
	}

	@DeleteOperation
	public WebEndpointResponse<?> cancelByKey(@Nullable String key, SecurityContext security) {
		return DeadLettersEndpoint.answer(() -> {
			Assert.isTrue(key != null && !key.isBlank(), "Say which timer: give its id, or its key");
			return cancelled(this.timers.cancel(key), "with the key \"%s\"".formatted(key), security);
		});
	}

	private static WebEndpointResponse<?> found(Optional<PendingTimer> timer, boolean whole, String which) {
		return timer.<WebEndpointResponse<?>>map((pending) -> new WebEndpointResponse<>(TimersBody.of(pending, whole)))
			.orElseGet(() -> absent(which));
	}

	private static WebEndpointResponse<?> cancelled(boolean cancelled, String which, SecurityContext security) {
		if (!cancelled) {
			return absent(which);
		}
		OperatorLog.changed(security, "cancellation", "timer", which);
		return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
	}

	private static WebEndpointResponse<?> absent(String which) {
		return new WebEndpointResponse<>(
				new Problem("There is no pending timer %s; it has fired, was cancelled, or never was".formatted(which)),
				WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
