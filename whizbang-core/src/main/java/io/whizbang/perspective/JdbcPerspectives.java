package io.whizbang.perspective;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.event.Appended;
import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.Waiters.Waiter;
import io.whizbang.worker.TransientErrors;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Perspectives in the application's own database.
 */
public final class JdbcPerspectives implements Perspectives {

	/** How long readers may believe that a run serves. */
	static final Duration SERVING_KNOWN = Duration.ofSeconds(1);

	private static final long LONGEST_LOOK = Duration.ofMillis(500).toNanos();

	/** Who waits for pages under way may be the one that the database gives up. */
	private static final int TRIES = 10;

	private final PerspectiveParts parts;

	private final PerspectiveWorker worker;

	private final JdbcRuns runs;

	private final JdbcOperations operations;

	private final ModelTransactions transactions;

	private final Map<String, Known> serving = new ConcurrentHashMap<>();

	/**
	 * Creates access to the perspectives.
	 * @param parts what they are made of
	 * @param worker works on them
	 */
	public JdbcPerspectives(PerspectiveParts parts, PerspectiveWorker worker) {
		this.parts = parts;
		this.worker = worker;
		JdbcCalls calls = new JdbcCalls(parts.dataSource(), parts.schema());
		this.runs = new JdbcRuns(calls);
		this.operations = new JdbcOperations(calls);
		this.transactions = new ModelTransactions(parts.transactions());
	}

	@Override
	public boolean await(String name, Appended appended, Duration timeout) {
		return await(name, appended.stream(), appended.lastVersion(), timeout, () -> isThere(name, appended));
	}

	@Override
	public boolean await(String name, StreamId stream, long version, Duration timeout) {
		Assert.isTrue(version >= 1,
				() -> "The version must be at least 1, the first event's, but is %d".formatted(version));
		return await(name, stream, version, timeout,
				() -> Boolean.TRUE.equals(this.operations.has(name, stream, version)));
	}

	private boolean await(String name, StreamId stream, long version, Duration timeout, BooleanSupplier isThere) {
		long start = System.nanoTime();
		Waiter waiter = this.worker.waiters().await(name, stream.value(), version);
		try {
			long look = Duration.ofMillis(20).toNanos();
			while (waiter.reached().getCount() > 0 && !isThere.getAsBoolean()) {
				long left = timeout.toNanos() - (System.nanoTime() - start);
				if (left <= 0) {
					return false;
				}
				// Whoever applies it here tells; it may also be applied elsewhere.
				if (waiter.reached().await(Math.min(left, look), TimeUnit.NANOSECONDS)) {
					return true;
				}
				look = Math.min(LONGEST_LOOK, look * 2);
			}
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		finally {
			this.worker.waiters().leave(waiter);
		}
	}

	private boolean isThere(String name, Appended appended) {
		Boolean there = this.operations.has(name, appended.stream(), appended.lastVersion());
		if (there == null && TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new IllegalStateException(
					"Event %d of the stream \"%s\" is not committed, so no perspective can apply it; wait after the end of the transaction"
						.formatted(appended.lastVersion(), appended.stream().key()));
		}
		return there != null && there;
	}

	@Override
	public PerspectiveRun serving(String name) {
		long now = System.nanoTime();
		Known known = this.serving.get(name);
		if (known != null && now - known.at < SERVING_KNOWN.toNanos()) {
			return known.run;
		}
		PerspectiveRun run = this.operations.serving(name);
		Assert.isTrue(run != null, () -> unknown(name));
		this.serving.put(name, new Known(run, now));
		return run;
	}

	@Override
	public List<PerspectiveStatus> status() {
		return this.worker.rates().rated(this.operations.status(null));
	}

	@Override
	public List<PerspectiveStatus> status(String name) {
		List<PerspectiveStatus> status = this.operations.status(name);
		Assert.isTrue(!status.isEmpty(), () -> unknown(name));
		return this.worker.rates().rated(status);
	}

	@Override
	public List<StoppedStream> stopped(String name, @Nullable StreamId after, int limit) {
		Assert.isTrue(limit > 0 && limit <= MAX_PAGE,
				() -> "The limit must be between 1 and %d but is %d".formatted(MAX_PAGE, limit));
		return this.operations.stopped(name, after, limit);
	}

	@Override
	public boolean retry(String name, StreamId stream, Operator by) {
		boolean stopped = this.operations.retry(name, stream, by);
		Assert.isTrue(stopped || isKnown(name), () -> unknown(name));
		this.worker.changed();
		return stopped;
	}

	@Override
	public boolean skip(String name, StreamId stream, long version, Operator by) {
		boolean skipped = this.operations.skip(name, stream, version, by);
		Assert.isTrue(skipped || isKnown(name), () -> unknown(name));
		this.worker.changed();
		return skipped;
	}

	@Override
	public void replay(String name, StreamId stream) {
		patiently(() -> {
			PerspectiveRun run = this.runs.restartStream(name, stream);
			Assert.isTrue(run != null, () -> unknown(name));
			handler(run).resetStream(stream, run);
			return run;
		});
		this.worker.changed();
	}

	@Override
	public void rebuild(String name) {
		patiently(() -> {
			RunInfo run = this.runs.lockServing(name);
			Assert.isTrue(run != null, () -> unknown(name));
			PerspectiveHandler handler = handler(run.run());
			handler.reset(run.run());
			this.runs.restart(run, shards(handler));
			return run;
		});
		this.worker.changed();
	}

	@Override
	public PerspectiveRun rebuildBeside(String name) {
		PerspectiveHandler handler = newest(name);
		PerspectiveRun built = patiently(() -> {
			PerspectiveRun run = this.runs.build(handler, shards(handler));
			if (run == null) {
				throw new IllegalStateException(
						"A run of the perspective \"%s\" is being built already; wait until it serves".formatted(name));
			}
			PerspectiveRun serving = this.runs.serving(name);
			if (serving != null && serving.version() > handler.version()) {
				throw missing(serving);
			}
			handler.prepare(run);
			return run;
		});
		this.worker.changed();
		return built;
	}

	@Override
	public void pause(String name) {
		Assert.isTrue(this.operations.pause(name, true), () -> unknown(name));
		this.worker.changed();
	}

	@Override
	public void resume(String name) {
		Assert.isTrue(this.operations.pause(name, false), () -> unknown(name));
		this.worker.changed();
	}

	private boolean isKnown(String name) {
		return !this.operations.status(name).isEmpty();
	}

	private static int shards(PerspectiveHandler handler) {
		return handler.global() ? 1 : handler.shards();
	}

	/** Only code of a run's own version knows its model. */
	private PerspectiveHandler handler(PerspectiveRun run) {
		return handlers(run.name()).filter((handler) -> handler.version() == run.version())
			.findFirst()
			.orElseThrow(() -> isHere(run.name()) ? missing(run) : new IllegalArgumentException(unknown(run.name())));
	}

	private PerspectiveHandler newest(String name) {
		return handlers(name).max(Comparator.comparingInt(PerspectiveHandler::version))
			.orElseThrow(() -> new IllegalArgumentException(unknown(name)));
	}

	private boolean isHere(String name) {
		return handlers(name).findAny().isPresent();
	}

	private Stream<PerspectiveHandler> handlers(String name) {
		return this.parts.handlers().stream().filter((handler) -> handler.name().equals(name));
	}

	private static IllegalStateException missing(PerspectiveRun serving) {
		return new IllegalStateException(
				"Of the perspective \"%s\" the version %d serves, whose code is not here; wait for the switch to a newer one, or ask an instance that has it"
					.formatted(serving.name(), serving.version()));
	}

	/**
	 * Empties models against handlers that fill them: one of both may have to try again.
	 */
	private <T> T patiently(Supplier<T> work) {
		for (int tries = 1;; tries++) {
			try {
				return this.transactions.call(work::get);
			}
			catch (RuntimeException ex) {
				if (tries == TRIES || !TransientErrors.isTransient(ex)) {
					throw ex;
				}
			}
		}
	}

	private static String unknown(String name) {
		return "There is no perspective \"%s\" here; its name is what its code says, and its worker must have started once"
			.formatted(name);
	}

	/**
	 * What was known a moment ago.
	 *
	 * @param run the run that serves
	 * @param at when that was asked
	 */
	private record Known(PerspectiveRun run, long at) {

	}

}
