package io.whizbang.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Leases of names: at most one holder has a name at a time, over all instances that use
 * the same schema. The database's clock decides when a lease ends. Leases are apart from
 * the caller's transaction, and no connection is held while a lease is.
 */
public interface Leases {

	/**
	 * Acquires a lease if nobody has it, also not the caller.
	 * @param name what is leased, at most 200 characters
	 * @param duration how long the lease lasts when this instance dies; while it lives,
	 * the lease is renewed
	 * @return the lease, or nothing when somebody has it
	 */
	default Optional<Lease> tryAcquire(String name, Duration duration) {
		return tryAcquire(name, LeaseOptions.lasting(duration));
	}

	/**
	 * Acquires a lease if nobody has it.
	 * @param name what is leased, at most 200 characters
	 * @param options how it is leased
	 * @return the lease, or nothing when somebody has it
	 */
	Optional<Lease> tryAcquire(String name, LeaseOptions options);

	/**
	 * Acquires a lease, and waits for it when somebody has it or the database is away.
	 * @param name what is leased
	 * @param duration how long the lease lasts when this instance dies
	 * @param maxWait how long to wait
	 * @return the lease, or nothing when the time is over, or when the thread was
	 * interrupted, which it still is then
	 */
	default Optional<Lease> acquire(String name, Duration duration, Duration maxWait) {
		return acquire(name, LeaseOptions.lasting(duration), maxWait);
	}

	/**
	 * Acquires a lease, and waits for it when somebody has it or the database is away.
	 * @param name what is leased
	 * @param options how it is leased
	 * @param maxWait how long to wait
	 * @return the lease, or nothing when the time is over, or when the thread was
	 * interrupted, which it still is then
	 */
	Optional<Lease> acquire(String name, LeaseOptions options, Duration maxWait);

	/**
	 * Runs something while holding a lease, if nobody has it.
	 * @param name what is leased
	 * @param duration how long the lease lasts when this instance dies
	 * @param action what to run
	 * @return whether it ran
	 * @throws LeaseLostException when the lease was lost before the action ended
	 */
	default boolean runWith(String name, Duration duration, Runnable action) {
		return runWith(name, duration, (lease) -> action.run());
	}

	/**
	 * Runs something while holding a lease, if nobody has it.
	 * @param name what is leased
	 * @param duration how long the lease lasts when this instance dies
	 * @param action what to run
	 * @return whether it ran
	 * @throws LeaseLostException when the lease was lost before the action ended
	 */
	default boolean runWith(String name, Duration duration, Consumer<Lease> action) {
		return callWith(name, duration, (lease) -> {
			action.accept(lease);
			return true;
		}).isPresent();
	}

	/**
	 * Calls something while holding a lease, if nobody has it.
	 * @param <T> what it returns
	 * @param name what is leased
	 * @param duration how long the lease lasts when this instance dies
	 * @param action what to call
	 * @return its result, or nothing when it was not called or returned {@code null}
	 * @throws LeaseLostException when the lease was lost before the action ended
	 */
	default <T> Optional<T> callWith(String name, Duration duration, Function<Lease, @Nullable T> action) {
		Optional<Lease> acquired = tryAcquire(name, duration);
		if (acquired.isEmpty()) {
			return Optional.empty();
		}
		try (Lease lease = acquired.get(); CurrentLease.Scope scope = CurrentLease.open(lease)) {
			T result = action.apply(lease);
			lease.throwIfLost();
			return Optional.ofNullable(result);
		}
	}

	/**
	 * Tells who has a lease.
	 * @param name what is leased
	 * @return its holder, or nothing when nobody has it
	 */
	Optional<LeaseHolder> find(String name);

	/**
	 * Lists who has leases, the first thousand in the order of their names.
	 * @return the holders
	 */
	default List<LeaseHolder> list() {
		return list(null, 1000);
	}

	/**
	 * Lists who has leases, in the order of their names.
	 * @param after the name to go on behind, or {@code null} to begin
	 * @param limit how many at most, up to 1000
	 * @return the holders
	 */
	List<LeaseHolder> list(@Nullable String after, int limit);

}
