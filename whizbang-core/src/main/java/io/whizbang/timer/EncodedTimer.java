package io.whizbang.timer;

import java.util.Map;
import java.util.UUID;

import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * A timer ready to be stored: its payload is JSON already.
 *
 * @param id identity
 * @param timer what the application wants
 * @param headers its headers and the inherited ones
 * @param payload the payload as JSON
 */
record EncodedTimer(TimerId id, NewTimer timer, Map<String, String> headers, String payload) {

	@Nullable UUID streamValue() {
		StreamId stream = this.timer.stream();
		return (stream != null) ? stream.value() : null;
	}

	@Nullable String streamKey() {
		StreamId stream = this.timer.stream();
		return (stream != null && !stream.key().equals(stream.value().toString())) ? stream.key() : null;
	}

	int partitionHash() {
		UUID stream = streamValue();
		return StreamId.partitionHash((stream != null) ? stream : this.id.value());
	}

}
