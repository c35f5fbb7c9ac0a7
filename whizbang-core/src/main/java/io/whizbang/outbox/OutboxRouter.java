package io.whizbang.outbox;

import org.jspecify.annotations.Nullable;

/**
 * Decides in code where messages go; asked before the configured routes.
 */
@FunctionalInterface
public interface OutboxRouter {

	/**
	 * Returns where messages to a topic go.
	 * @param topic the topic
	 * @return name of a transport, {@link OutboxSettings#HANDLERS}, or {@code null} to
	 * leave the decision to the configuration
	 */
	@Nullable String route(String topic);

}
