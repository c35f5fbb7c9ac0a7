package io.whizbang.observation;

import java.util.Map;

import io.whizbang.work.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Words for outcomes, as tags have them.
 */
final class OutcomeNames {

	private static final Map<Class<?>, String> NAMES = Map.of(Outcome.Done.class, "done", Outcome.Retry.class,
			"retried", Outcome.Postpone.class, "postponed", Outcome.Dead.class, "dead", Outcome.Release.class,
			"released");

	private OutcomeNames() {
	}

	static String of(@Nullable Outcome outcome) {
		return (outcome != null) ? NAMES.getOrDefault(outcome.getClass(), "other") : "none";
	}

}
