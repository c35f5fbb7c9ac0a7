package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.timer.PendingTimer;
import io.whizbang.timer.TimerPage;
import org.jspecify.annotations.Nullable;

/**
 * Pending timers, as JSON. Headers and payloads are only in what shows one of them.
 *
 * @param pending how many there are, counted up to 10 000
 * @param timers some of them
 * @param next where the next page begins
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TimersBody(int pending, List<Pending> timers, @Nullable String next) {

	static TimersBody of(int pending, TimerPage page) {
		return new TimersBody(pending, page.timers().stream().map(Pending::listed).toList(), page.next());
	}

	/**
	 * Describes a timer.
	 * @param pending the timer
	 * @param whole whether with its headers and its payload, which may be personal data
	 * @return what the endpoint answers
	 */
	static TimersBody of(PendingTimer pending, boolean whole) {
		return new TimersBody(1, List.of(whole ? Pending.of(pending) : Pending.listed(pending)), null);
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Pending(String id, @Nullable String key, String topic, String type, @Nullable String stream,
			@Nullable Map<String, String> headers, @Nullable String payload, Instant due, Instant createdAt) {

		static Pending listed(PendingTimer timer) {
			return of(timer, null, null);
		}

		static Pending of(PendingTimer timer) {
			return of(timer, timer.headers(), timer.payload());
		}

		private static Pending of(PendingTimer timer, @Nullable Map<String, String> headers, @Nullable String payload) {
			return new Pending(timer.id().toString(), timer.key(), timer.topic(), timer.type(),
					(timer.stream() != null) ? timer.stream().key() : null, headers, payload, timer.due(),
					timer.createdAt());
		}

	}

}
