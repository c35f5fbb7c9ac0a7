package io.whizbang.control;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.whizbang.message.LogText;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.EngineLifecycle;
import io.whizbang.worker.Hearer;
import io.whizbang.worker.Pausable;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.Runner;
import io.whizbang.worker.Waker;
import io.whizbang.worker.WorkLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Pauses and resumes the workers of this instance as the database says. It looks before
 * they start, so that a paused worker does not begin only to stop; then when it hears of
 * a change, and rarely otherwise. A worker that the application has paused by itself is
 * not its business.
 */
public final class PauseKeeper implements SmartLifecycle, Hearer {

	/** Name of pauses in announcements. */
	static final String LABEL = "pauses";

	private static final Logger logger = LoggerFactory.getLogger(PauseKeeper.class);

	private static final String NAME = "Whizbang's pause keeper";

	private static final Duration LISTENING_POLL = Duration.ofSeconds(30);

	private static final Duration POLL = Duration.ofSeconds(5);

	private static final Duration FAREWELL = Duration.ofSeconds(5);

	private final JdbcControl database;

	private final List<Pausable> workers;

	private final @Nullable PostgresListener listener;

	private final Waker waker = new Waker();

	private final Set<String> paused = new HashSet<>();

	private volatile @Nullable Runner runner;

	/**
	 * Creates a keeper.
	 * @param database where pauses are kept
	 * @param workers the workers of this instance
	 * @param listener hears announcements of other instances, or {@code null}
	 */
	public PauseKeeper(JdbcControl database, Collection<Pausable> workers, @Nullable PostgresListener listener) {
		this.database = database;
		this.workers = List.copyOf(workers);
		this.listener = listener;
	}

	/** Lets the next look be now; called from any thread. */
	void look() {
		this.waker.wake();
	}

	@Override
	public void announced(Announcement announcement) {
		if (announcement.queue().equals(LABEL)) {
			look();
		}
	}

	@Override
	public void listening(@Nullable Integer backendPid) {
		look();
	}

	@Override
	public void start() {
		if (this.runner != null || this.workers.isEmpty()) {
			return;
		}
		// Whoever was stopped meanwhile starts anew, and has to be told again.
		this.paused.clear();
		try {
			apply();
		}
		catch (RuntimeException ex) {
			logger.warn("It is not known yet which workers are paused; they start, and pause when it is", ex);
		}
		if (this.listener != null) {
			this.listener.wakes(this);
		}
		this.runner = Runner.start("whizbang-pauses", new WorkLoop(NAME, this::step, this.waker));
	}

	@Override
	public void stop() {
		Runner running = this.runner;
		this.runner = null;
		if (running != null) {
			running.stop();
			running.join(FAREWELL);
		}
	}

	@Override
	public boolean isRunning() {
		return this.runner != null;
	}

	/** Before the workers and the threads they use. */
	@Override
	public int getPhase() {
		return EngineLifecycle.PHASE - 2;
	}

	private Duration step() {
		apply();
		return (this.listener != null && this.listener.healthy()) ? LISTENING_POLL : POLL;
	}

	/** One worker that cannot be started yet is no reason to leave out the others. */
	private void apply() {
		Map<String, PausedWorker> wanted = this.database.paused()
			.stream()
			.collect(Collectors.toMap(PausedWorker::worker, Function.identity()));
		RuntimeException failure = null;
		for (Pausable worker : this.workers) {
			try {
				apply(worker, wanted.get(worker.label()));
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private void apply(Pausable worker, @Nullable PausedWorker wanted) {
		if (wanted != null && !this.paused.contains(worker.label())) {
			logger.info("The worker {} pauses here: {} wanted it at {}", worker.label(), LogText.of(wanted.by()),
					wanted.pausedAt());
			worker.pause();
			this.paused.add(worker.label());
		}
		else if (wanted == null && this.paused.contains(worker.label())) {
			logger.info("The worker {} goes on here", worker.label());
			worker.resume();
			this.paused.remove(worker.label());
		}
	}

}
