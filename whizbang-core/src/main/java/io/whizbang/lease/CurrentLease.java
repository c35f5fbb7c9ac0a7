package io.whizbang.lease;

import org.jspecify.annotations.Nullable;

/**
 * The lease that the current thread works under: that of the {@link Leased} method or of
 * {@link Leases#runWith runWith} that it is in.
 */
public final class CurrentLease {

	private static final ThreadLocal<@Nullable Lease> CURRENT = new ThreadLocal<>();

	private CurrentLease() {
	}

	/**
	 * Returns the lease that the current thread works under.
	 * @return the innermost one, or {@code null} when there is none
	 */
	public static @Nullable Lease get() {
		return CURRENT.get();
	}

	/**
	 * Goes on only when the current lease is held.
	 * @throws LeaseLostException when it is not
	 * @throws IllegalStateException when there is none
	 */
	public static void throwIfLost() {
		Lease lease = CURRENT.get();
		if (lease == null) {
			throw new IllegalStateException(
					"This thread works under no lease; call this in a @Leased method or in runWith");
		}
		lease.throwIfLost();
	}

	static Scope open(Lease lease) {
		Lease before = CURRENT.get();
		CURRENT.set(lease);
		return () -> {
			if (before != null) {
				CURRENT.set(before);
			}
			else {
				CURRENT.remove();
			}
		};
	}

	/**
	 * The time in which a lease is the current one.
	 */
	@FunctionalInterface
	interface Scope extends AutoCloseable {

		@Override
		void close();

	}

}
