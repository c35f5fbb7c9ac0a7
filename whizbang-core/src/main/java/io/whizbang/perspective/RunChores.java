package io.whizbang.perspective;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.perspective.JdbcRuns.RetiredRun;
import io.whizbang.perspective.PerspectiveStatus.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs need now and then: to serve when they are built, to be cleaned up after, and
 * to tell how far they are.
 */
final class RunChores {

	private static final Logger logger = LoggerFactory.getLogger(RunChores.class);

	private static final long SWITCH = Duration.ofMillis(50).toNanos();

	/** So often the pause doubles while nothing moves: to 1.6 s, for a try locks much. */
	private static final int SLOWING_DOWN = 5;

	private static final long CLEAN = Duration.ofMinutes(1).toNanos();

	/** Who is so far behind is catching up, and people want to know how far it is. */
	private static final long FAR_BEHIND = 10_000;

	private final PerspectiveParts parts;

	private final LaneSlots slots;

	private final JdbcRuns runs;

	private final JdbcOperations operations;

	private final ModelTransactions transactions;

	private final Rates rates;

	/** The newest code knows what older code has left. */
	private final Map<String, PerspectiveHandler> newest;

	private final Set<Long> uncleanable = new HashSet<>();

	private long switchAt;

	private int refusals;

	private volatile boolean moved;

	private long cleanAt;

	private long tellAt;

	RunChores(PerspectiveParts parts, LaneSlots slots, JdbcCalls calls, Rates rates) {
		this.parts = parts;
		this.slots = slots;
		this.runs = new JdbcRuns(calls);
		this.operations = new JdbcOperations(calls);
		this.transactions = new ModelTransactions(parts.transactions());
		this.rates = rates;
		this.newest = parts.handlers()
			.stream()
			.collect(Collectors.toMap(PerspectiveHandler::name, Function.identity(),
					BinaryOperator.maxBy(Comparator.comparingInt(PerspectiveHandler::version))));
		this.switchAt = System.nanoTime();
		this.cleanAt = this.switchAt;
		this.tellAt = this.switchAt + parts.settings().progressInterval().toNanos();
	}

	/**
	 * Does what is due.
	 * @param now the time
	 * @return whether another run serves now
	 */
	boolean run(long now) {
		boolean switched = false;
		List<RunInfo> built = this.slots.built();
		if (this.moved) {
			this.moved = false;
			this.switchAt -= pause() - SWITCH;
			this.refusals = 0;
		}
		if (!built.isEmpty() && now - this.switchAt >= 0) {
			this.switchAt = now + pause();
			for (RunInfo run : built) {
				switched |= switchTo(run);
			}
			this.refusals = switched ? 0 : Math.min(this.refusals + 1, SLOWING_DOWN);
			this.switchAt = now + pause();
		}
		if (now - this.cleanAt >= 0) {
			this.cleanAt = now + (cleanOne() ? 0 : Math.min(CLEAN, 1 + this.parts.settings().retireAfter().toNanos()));
		}
		if (now - this.tellAt >= 0 && this.slots.all().stream().anyMatch((slot) -> slot.isBehind())) {
			this.tellAt = now + this.parts.settings().progressInterval().toNanos();
			tell();
		}
		return switched;
	}

	private long pause() {
		return SWITCH << this.refusals;
	}

	/** Something was applied, so that a run may serve which could not before. */
	void moved() {
		this.moved = true;
	}

	/** Does not wait to see whether another run can serve; says whether one does. */
	boolean switchNow() {
		long now = System.nanoTime();
		this.switchAt = now;
		return run(now);
	}

	/** Nanoseconds until something is due that cannot wait for a poll. */
	long untilNext(long now) {
		return this.slots.built().isEmpty() ? Long.MAX_VALUE : this.switchAt - now;
	}

	private boolean switchTo(RunInfo run) {
		PerspectiveRun old = this.runs.switchTo(run);
		if (old == null) {
			return false;
		}
		logger.info("{} serves now, instead of {}", run.run(), old);
		Listeners.tell(() -> this.parts.listener().switched(old, run.run()));
		return true;
	}

	/** Cleans up after a run that has ended; says whether there may be another one. */
	private boolean cleanOne() {
		AtomicReference<@Nullable RetiredRun> found = new AtomicReference<>();
		try {
			this.transactions.call(() -> {
				RetiredRun retired = this.runs.retired(this.newest.values(), this.uncleanable,
						this.parts.settings().retireAfter());
				found.set(retired);
				if (retired != null) {
					clean(retired);
				}
				return retired != null;
			});
			if (found.get() != null) {
				return true;
			}
		}
		catch (RuntimeException ex) {
			RetiredRun retired = found.get();
			logger.warn("{} could not be cleaned up; it is tried again later",
					(retired != null) ? retired.run() : "A retired run of a perspective", ex);
			if (retired != null) {
				// What the application cannot do must not keep others from it.
				this.uncleanable.add(retired.id());
				return true;
			}
		}
		this.uncleanable.clear();
		return false;
	}

	private void clean(RetiredRun retired) {
		PerspectiveHandler handler = this.newest.get(retired.run().name());
		if (this.runs.purge(retired) && !retired.replaced() && handler != null) {
			handler.retire(retired.run());
			logger.info("{} is retired", retired.run());
		}
	}

	private void tell() {
		for (PerspectiveStatus status : this.rates.rated(this.operations.status(null))) {
			if (status.state() == State.BUILDING || status.behind() > FAR_BEHIND) {
				Duration left = status.timeLeft();
				logger.info("{} is at {} of {} ({} %), {} per second, {} left{}", status.run(), status.done(),
						status.total(), (status.total() > 0) ? 100 * status.done() / status.total() : 100,
						String.format(Locale.ROOT, "%.0f", status.rate()),
						(left != null) ? left.toSeconds() + " s" : "an unknown time",
						(status.retrying() + status.dead() > 0)
								? ", " + (status.retrying() + status.dead()) + " streams have stopped" : "");
			}
		}
	}

}
