package io.whizbang.inbox;

import java.time.Duration;

import io.whizbang.coordinator.CoordinatorSettings;

/** Rules under which completed messages are kept. */
final class DebugRules {

	static final CoordinatorSettings RULES = new CoordinatorSettings(Duration.ofMinutes(5), Duration.ofSeconds(10),
			Duration.ofSeconds(30), Duration.ofMinutes(10), 10_000, null, true, false);

	private DebugRules() {
	}

}
