package io.whizbang.lease;

/**
 * Hears what becomes of leases, for metrics.
 */
public interface LeaseListener {

	/** Hears nothing. */
	LeaseListener NONE = new LeaseListener() {
	};

	/**
	 * A lease was acquired.
	 * @param label what it is called in meters
	 */
	default void acquired(String label) {
	}

	/**
	 * A lease was not acquired, because somebody has it.
	 * @param label what it is called in meters
	 */
	default void refused(String label) {
	}

	/**
	 * A lease ended before it was released.
	 * @param label what it is called in meters
	 */
	default void lost(String label) {
	}

	/**
	 * Leases could not be renewed; they are tried again until they end.
	 * @param failure why
	 */
	default void renewalFailed(Throwable failure) {
	}

}
