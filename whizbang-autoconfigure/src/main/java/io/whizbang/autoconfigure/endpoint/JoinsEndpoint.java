package io.whizbang.autoconfigure.endpoint;

import io.whizbang.join.Join;
import io.whizbang.join.JoinId;
import io.whizbang.join.Joins;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Endpoint that shows joins and their members, and lets operators cancel them.
 */
@WebEndpoint(id = "whizbangjoins")
public final class JoinsEndpoint {

	private final Joins joins;

	public JoinsEndpoint(Joins joins) {
		this.joins = joins;
	}

	/**
	 * Shows joins that are open, or one that has a key.
	 * @param key the key
	 * @param after identity of the last join of the page before
	 * @param limit how many at most
	 * @return the joins
	 */
	@ReadOperation
	public WebEndpointResponse<?> list(@Nullable String key, @Nullable String after, @Nullable String limit) {
		return DeadLettersEndpoint.answer(
				() -> new WebEndpointResponse<>(JoinsBody.of((key != null) ? this.joins.findByKey(key).stream().toList()
						: this.joins.open((after != null) ? JoinId.of(after) : null, Input.limit(limit)))));
	}

	/**
	 * Shows a join, open or closed, with a page of its members.
	 * @param id its identity
	 * @param after name of the last member of the page before
	 * @param limit how many members at most
	 * @return the join
	 */
	@ReadOperation
	public WebEndpointResponse<?> show(@Selector String id, @Nullable String after, @Nullable String limit) {
		return DeadLettersEndpoint.answer(() -> {
			JoinId join = JoinId.of(id);
			Join found = this.joins.find(join).orElse(null);
			return (found != null) ? new WebEndpointResponse<>(
					JoinsBody.of(found, this.joins.members(join, after, Input.limit(limit)))) : absent(id);
		});
	}

	@DeleteOperation
	public WebEndpointResponse<?> cancel(@Selector String id, SecurityContext security) {
		return DeadLettersEndpoint.answer(() -> {
			if (!this.joins.cancel(JoinId.of(id))) {
				return absent(id);
			}
			OperatorLog.changed(security, "cancellation", "join", id);
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		});
	}

	private static WebEndpointResponse<?> absent(String id) {
		return new WebEndpointResponse<>(new Problem("There is no such join \"%s\", or it is closed".formatted(id)),
				WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
