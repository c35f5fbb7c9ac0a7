package io.whizbang.transport;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Writes times as {@link Instant#toString()} does, at a fraction of its cost: messages
 * that are sent together were mostly enqueued within the same second, so its text is
 * kept.
 */
final class EventTimes {

	private volatile @Nullable Second last;

	String text(Instant time) {
		String second = second(time.getEpochSecond());
		int nanos = time.getNano();
		if (nanos == 0) {
			return second;
		}
		int digits = (nanos % 1_000_000 == 0) ? 3 : (nanos % 1_000 == 0) ? 6 : 9;
		int end = second.length() - 1;
		StringBuilder text = new StringBuilder(end + digits + 2).append(second, 0, end).append('.');
		for (int unit = 100_000_000, i = 0; i < digits; i++, unit /= 10) {
			text.append((char) ('0' + nanos / unit % 10));
		}
		return text.append('Z').toString();
	}

	private String second(long second) {
		Second known = this.last;
		if (known == null || known.second != second) {
			known = new Second(second, Instant.ofEpochSecond(second).toString());
			this.last = known;
		}
		return known.text;
	}

	/**
	 * A second that was written.
	 *
	 * @param second its number since 1970
	 * @param text its text
	 */
	private record Second(long second, String text) {

	}

}
