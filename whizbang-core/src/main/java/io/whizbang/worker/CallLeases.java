package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Keeps what calls under way here need. One thread renews that, all in one statement;
 * another one, which never waits for the database, interrupts those for whom it is about
 * to be over.
 *
 * @param <C> the calls
 */
public final class CallLeases<C extends GuardedCall> {

	private static final Duration IDLE = Duration.ofHours(1);

	private final String name;

	private final Duration lease;

	private final Renewal<C> renewal;

	private final Consumer<C> interrupted;

	private final Set<C> held = ConcurrentHashMap.newKeySet();

	private final Waker renewWaker = new Waker();

	private final Waker watchWaker = new Waker();

	private volatile @Nullable Runner renewer;

	private volatile @Nullable Runner watcher;

	/**
	 * Creates leases.
	 * @param name name of the threads
	 * @param lease how long something is held without being renewed
	 * @param renewal renews
	 * @param interrupted hears of calls that were interrupted because their time was over
	 */
	public CallLeases(String name, Duration lease, Renewal<C> renewal, Consumer<C> interrupted) {
		this.name = name;
		this.lease = lease;
		this.renewal = renewal;
		this.interrupted = interrupted;
	}

	public int count() {
		return this.held.size();
	}

	public Collection<C> all() {
		return List.copyOf(this.held);
	}

	public void add(C call) {
		this.held.add(call);
		this.renewWaker.wake();
		this.watchWaker.wake();
	}

	public void remove(C call) {
		this.held.remove(call);
	}

	public boolean has(C call) {
		return this.held.contains(call);
	}

	public void start() {
		this.renewer = Runner.start(this.name + "-leases",
				new WorkLoop("Renewal by " + this.name, this::renew, this.renewWaker));
		this.watcher = Runner.start(this.name + "-watch",
				new WorkLoop("Watch by " + this.name, this::watch, this.watchWaker));
	}

	public void stop() {
		for (Runner runner : new @Nullable Runner[] { this.renewer, this.watcher }) {
			if (runner != null) {
				runner.stop();
				runner.join(Duration.ofSeconds(1));
			}
		}
		this.renewer = null;
		this.watcher = null;
	}

	/**
	 * Returns how often in a row renewals have failed.
	 * @return the number, 0 when all is well
	 */
	public int failures() {
		Runner running = this.renewer;
		return (running != null) ? running.failures() : 0;
	}

	private Duration renew() {
		List<C> calls = new ArrayList<>(this.held);
		calls.removeIf((call) -> call.isGone() || !call.isRenewable());
		if (calls.isEmpty()) {
			return IDLE;
		}
		long start = System.nanoTime();
		// Two thirds of the lease are for failures.
		long spare = this.lease.toNanos() * 2 / 3;
		long wait = calls.stream().mapToLong((call) -> call.left(start) - spare).min().orElse(0);
		if (wait > 0) {
			return Duration.ofNanos(wait);
		}
		this.renewal.renew(calls, start + this.lease.toNanos());
		this.watchWaker.wake();
		// One that cannot be renewed right now is tried again soon, but not at once.
		return this.lease.dividedBy(50).plusMillis(1);
	}

	private Duration watch() {
		long now = System.nanoTime();
		long next = IDLE.toNanos();
		for (C call : this.held) {
			// A little before the end, so that the code hears of it before others begin.
			long left = call.left(now) - this.lease.toNanos() / 20;
			if (left > 0) {
				next = Math.min(next, left);
			}
			else if (call.interrupt()) {
				this.interrupted.accept(call);
			}
		}
		return Duration.ofNanos(next);
	}

	/**
	 * Renews what calls need.
	 *
	 * @param <C> the calls
	 */
	@FunctionalInterface
	public interface Renewal<C extends GuardedCall> {

		/**
		 * Renews, and tells each call what came of it.
		 * @param calls the calls
		 * @param deadline until when those have it that were renewed
		 */
		void renew(List<C> calls, long deadline);

	}

}
