package io.whizbang.autoconfigure.endpoint;

import java.util.function.Consumer;

import io.whizbang.fanout.FanoutPolicy;
import io.whizbang.fanout.FanoutTopic;
import io.whizbang.fanout.Fanouts;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Endpoint that shows fan-outs, their policies and cursors, and lets operators run them
 * now and change policies.
 */
@WebEndpoint(id = "whizbangfanouts")
public final class FanoutsEndpoint {

	private static final int MOST_CURSORS = 50;

	private final Fanouts fanouts;

	public FanoutsEndpoint(Fanouts fanouts) {
		this.fanouts = fanouts;
	}

	@ReadOperation
	public WebEndpointResponse<?> list() {
		return DeadLettersEndpoint.answer(() -> new WebEndpointResponse<>(FanoutsBody.of(this.fanouts.list())));
	}

	@ReadOperation
	public WebEndpointResponse<?> show(@Selector String topic, @Nullable String afterWorkKey,
			@Nullable String afterShardKey, @Nullable String limit) {
		return answer(topic, afterWorkKey, afterShardKey, Input.limit(limit), (fanout) -> {
		});
	}

	/**
	 * Runs a fan-out now, sets a policy, or goes back to the code's.
	 * @param topic its topic
	 * @param action {@code run}, {@code policy} or {@code reset}
	 * @param workKey whose policy, by default that of all work keys
	 * @param every how often slices are due
	 * @param jitter by how much slices are spread
	 * @param security who asks
	 * @return how it stands then
	 */
	@WriteOperation
	public WebEndpointResponse<?> act(@Selector String topic, @Selector String action, @Nullable String workKey,
			@Nullable String every, @Nullable String jitter, SecurityContext security) {
		String key = (workKey != null) ? workKey : Fanouts.ALL_WORK_KEYS;
		return answer(topic, null, null, MOST_CURSORS, (fanout) -> {
			switch (action) {
				case "run" -> this.fanouts.runNow(topic);
				case "policy" -> this.fanouts.setPolicy(topic, key,
						new FanoutPolicy(Input.duration("every", every), Input.duration("jitter", jitter)));
				case "reset" -> this.fanouts.resetPolicy(topic, key);
				default -> throw new IllegalArgumentException(
						"The action must be one of run, policy and reset but is '%s'".formatted(action));
			}
			OperatorLog.changed(security, action, "fan-out", topic);
		});
	}

	@DeleteOperation
	public WebEndpointResponse<?> delete(@Selector String topic, SecurityContext security) {
		return DeadLettersEndpoint.answer(() -> {
			if (!this.fanouts.delete(topic)) {
				return absent(topic);
			}
			OperatorLog.changed(security, "deletion", "fan-out", topic);
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		});
	}

	private WebEndpointResponse<?> answer(String topic, @Nullable String afterWorkKey, @Nullable String afterShardKey,
			int limit, Consumer<FanoutTopic> action) {
		return DeadLettersEndpoint.answer(() -> {
			FanoutTopic fanout = this.fanouts.find(topic).orElse(null);
			if (fanout == null) {
				return absent(topic);
			}
			action.accept(fanout);
			return new WebEndpointResponse<>(FanoutsBody.of(this.fanouts.find(topic).orElse(fanout),
					this.fanouts.policies(topic), this.fanouts.cursors(topic, afterWorkKey, afterShardKey, limit)));
		});
	}

	private static WebEndpointResponse<?> absent(String topic) {
		return new WebEndpointResponse<>(new Problem("There is no fan-out \"%s\"".formatted(topic)),
				WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
