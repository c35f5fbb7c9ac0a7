package io.whizbang.join;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A join that was closed a moment ago.
 *
 * @param result what the message says that follows
 * @param topic where it goes, or {@code null} when none follows
 * @param headers what travels with it
 */
record ClosedJoin(JoinResult result, @Nullable String topic, Map<String, String> headers) {

	JoinId id() {
		return JoinId.of(this.result.join());
	}

}
