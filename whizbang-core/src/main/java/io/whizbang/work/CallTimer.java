package io.whizbang.work;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The time that one call of a {@link WorkHandler} has. It runs for the whole call, unless
 * the handler works through its batch piece by piece and says so.
 */
public interface CallTimer {

	/** Never runs out. */
	CallTimer NONE = new CallTimer() {

		@Override
		public void begin(@Nullable Duration atMost) {
		}

		@Override
		public boolean end() {
			return false;
		}

	};

	/**
	 * A piece of the work begins: when its time is up, the calling thread is interrupted.
	 * @param atMost how long it may take, or {@code null} for the time of a call
	 */
	void begin(@Nullable Duration atMost);

	/**
	 * The piece has ended: from here on the thread is not interrupted, and not marked as
	 * interrupted, until the next one begins.
	 * @return whether its time was up
	 */
	boolean end();

}
