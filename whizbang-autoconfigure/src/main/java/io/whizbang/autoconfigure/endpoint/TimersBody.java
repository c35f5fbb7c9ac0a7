package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.timer.PendingTimer;
import io.whizbang.timer.TimerPage;
import org.jspecify.annotations.Nullable;

/**
 * Pending timers, as JSON.
 *
 * @param pending how many there are, counted up to 10 000
 * @param timers some of them
 * @param next where the next page begins
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TimersBody(int pending, List<Pending> timers, @Nullable String next) {

	static TimersBody of(int pending, TimerPage page) {
		return new TimersBody(pending, page.timers().stream().map(Pending::of).toList(), page.next());
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Pending(String id, @Nullable String key, String topic, String type, @Nullable String stream,
			Map<String, String> headers, String payload, Instant due, Instant createdAt) {

		static Pending of(PendingTimer timer) {
			return new Pending(timer.id().toString(), timer.key(), timer.topic(), timer.type(),
					(timer.stream() != null) ? timer.stream().key() : null, timer.headers(), timer.payload(),
					timer.due(), timer.createdAt());
		}

	}

}
