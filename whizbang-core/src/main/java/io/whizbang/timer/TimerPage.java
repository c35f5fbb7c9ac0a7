package io.whizbang.timer;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Some of the pending timers.
 *
 * @param timers the timers, in the order in which they fire
 * @param next where the next page begins, or {@code null} when there is none
 */
public record TimerPage(List<PendingTimer> timers, @Nullable String next) {

	public TimerPage {
		timers = List.copyOf(timers);
	}

}
