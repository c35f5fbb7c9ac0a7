package io.whizbang.lease;

import java.time.Duration;

/**
 * A lease that was acquired. It is renewed in the background until it is closed. All
 * methods may be called by any thread.
 * <p>
 * Whether it is held is known here without asking anybody: an instance that cannot reach
 * the database knows that its lease is over before anyone else can get it.
 */
public interface Lease extends AutoCloseable {

	/**
	 * Returns what is leased.
	 * @return the name
	 */
	String name();

	/**
	 * Returns the fencing token. Every acquisition has a higher one than all before it,
	 * so that whoever stores something for the holder can refuse one that came too late.
	 * @return the token
	 */
	long token();

	/**
	 * Tells whether the lease is held. Once it is not, it never is again.
	 * @return whether it is held
	 */
	boolean isHeld();

	/**
	 * Goes on only when the lease is held.
	 * @throws LeaseLostException when it is not
	 */
	void throwIfLost();

	/**
	 * Registers what to do when the lease is lost, that is: when it ends before it is
	 * closed. It is called once, on a thread of its own; at once, on the calling thread,
	 * when the lease is lost already; never when the lease is closed in time.
	 * @param callback what to do
	 */
	void onLost(Runnable callback);

	/**
	 * Renews the lease, so that it lasts its whole duration from now on.
	 * @return whether it did, or the lease is lost
	 * @throws org.springframework.dao.DataAccessException when the database could not
	 * answer; the lease stays held for the time that {@link #remaining()} tells
	 */
	boolean renewNow();

	/**
	 * Returns for how long the lease is surely held without being renewed.
	 * @return the time, zero when it is not held
	 */
	Duration remaining();

	/**
	 * Releases the lease. Does nothing when it is lost or released already, and never
	 * throws: what cannot be released expires.
	 */
	@Override
	void close();

}
