package io.whizbang.lease;

import java.time.Duration;

/**
 * How a name is leased.
 *
 * @param duration how long the lease lasts without being renewed, from 100 ms to one day
 * @param renewed whether it is renewed in the background
 * @param atLeast how long nobody else gets the lease, counted from its acquisition, even
 * when it is released earlier
 * @param label what the lease is called in meters, where names of leases may be too many
 */
public record LeaseOptions(Duration duration, boolean renewed, Duration atLeast, String label) {

	/** Label of leases that have none of their own. */
	public static final String OTHER = "other";

	public LeaseOptions {
		LeaseLimits.checkDuration("duration of a lease", duration);
		LeaseLimits.checkAtLeast(atLeast);
	}

	/**
	 * Creates options of a lease that is renewed until it is closed.
	 * @param duration how long it lasts when its instance dies
	 * @return the options
	 */
	public static LeaseOptions lasting(Duration duration) {
		return new LeaseOptions(duration, true, Duration.ZERO, OTHER);
	}

	/**
	 * Lets the lease end after its duration, unless {@link Lease#renewNow()} is called.
	 * @return other options
	 */
	public LeaseOptions withoutRenewal() {
		return new LeaseOptions(this.duration, false, this.atLeast, this.label);
	}

	/**
	 * Keeps others away for some time even when the lease is released earlier.
	 * @param time how long, from the acquisition on
	 * @return other options
	 */
	public LeaseOptions withAtLeast(Duration time) {
		return new LeaseOptions(this.duration, this.renewed, time, this.label);
	}

	/**
	 * Gives the lease a name in the meters.
	 * @param name one of few, since every one becomes a time series
	 * @return other options
	 */
	public LeaseOptions withLabel(String name) {
		return new LeaseOptions(this.duration, this.renewed, this.atLeast, name);
	}

}
