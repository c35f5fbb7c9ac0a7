package io.whizbang.event;

import java.time.Instant;

import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * How a stream stands.
 *
 * @param stream the stream
 * @param version version of its last event, 0 when there is no such stream
 * @param createdAt when its first event was appended, or {@code null}
 * @param appendedAt when its last event was appended, or {@code null}
 */
public record StreamInfo(StreamId stream, long version, @Nullable Instant createdAt, @Nullable Instant appendedAt) {

	static StreamInfo none(StreamId stream) {
		return new StreamInfo(stream, 0, null, null);
	}

	public boolean exists() {
		return this.version > 0;
	}

	/**
	 * Returns how many events the stream has: versions have no gaps and nothing is
	 * deleted, so the last one tells.
	 * @return the number
	 */
	public long count() {
		return this.version;
	}

	/**
	 * Returns what an append expects that must come right behind what is there now.
	 * @return the version
	 */
	public ExpectedVersion expected() {
		return ExpectedVersion.exactly(this.version);
	}

}
