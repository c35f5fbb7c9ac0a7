package io.whizbang.test;

import java.time.Instant;
import java.util.Map;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * Messages for tests that have no database.
 */
final class Messages {

	private Messages() {
	}

	static Envelope message(String topic, @Nullable String streamKey, String payload) {
		StreamId stream = (streamKey != null) ? StreamId.of(streamKey) : null;
		return new Envelope(MessageId.next(), topic, "Thing", stream, Map.of(), payload, Instant.EPOCH);
	}

}
