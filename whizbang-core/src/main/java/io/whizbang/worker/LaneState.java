package io.whizbang.worker;

/**
 * How the lanes stand, for deciding when the next exchange is due.
 *
 * @param inFlight messages that have not ended
 * @param claims claims held
 * @param running calls of the handler under way
 * @param settledFor how long something has been waiting that can be reported as a whole,
 * in nanoseconds, or -1
 * @param unreportedFor how long the oldest unreported outcome has been waiting, in
 * nanoseconds, or -1
 * @param renewalDue whether a lease must be renewed
 * @param nextCheck nanoseconds until a lease or a running call needs a look
 */
record LaneState(int inFlight, int claims, int running, long settledFor, long unreportedFor, boolean renewalDue,
		long nextCheck) {
}
