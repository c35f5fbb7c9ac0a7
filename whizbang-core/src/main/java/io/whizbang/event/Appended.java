package io.whizbang.event;

import io.whizbang.message.StreamId;

/**
 * What was appended to a stream.
 *
 * @param stream the stream
 * @param firstVersion version of the first new event
 * @param lastVersion version of the last new event, which the next append may expect
 * @param lastPosition position of the last new event among all events
 */
public record Appended(StreamId stream, long firstVersion, long lastVersion, long lastPosition) {

	/**
	 * Returns what the next append of the same caller expects.
	 * @return the last version
	 */
	public ExpectedVersion next() {
		return ExpectedVersion.exactly(this.lastVersion);
	}

}
