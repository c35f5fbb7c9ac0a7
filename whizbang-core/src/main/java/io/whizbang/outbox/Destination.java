package io.whizbang.outbox;

import java.lang.reflect.Type;

import io.whizbang.transport.Transport;

/**
 * Where messages to a topic go.
 */
sealed interface Destination {

	/** To a handler in this application. */
	record ToHandler(TopicHandler<?> handler, Type payloadType) implements Destination {
	}

	/** Out of this application. */
	record ToTransport(Transport transport) implements Destination {
	}

	/** Nowhere, at least not from this instance and now. */
	record Nowhere(String reason) implements Destination {
	}

}
