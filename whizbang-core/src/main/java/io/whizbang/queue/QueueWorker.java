package io.whizbang.queue;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

import io.whizbang.work.Queue;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.Hearer;
import io.whizbang.worker.Runner;
import io.whizbang.worker.Waker;
import io.whizbang.worker.WorkLoop;
import io.whizbang.worker.WorkNotifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Takes batches of the queues that have a consumer here. A thread of its own takes them
 * and reports their ends; others run the consumers.
 */
public final class QueueWorker implements Hearer {

	/** Name of work queues in announcements, health and metrics. */
	public static final String LABEL = Queue.QUEUES.label();

	private static final Logger logger = LoggerFactory.getLogger(QueueWorker.class);

	private static final String NAME = "Whizbang's work queues";

	private static final Duration MOMENT = Duration.ofMillis(20);

	private static final Duration WHILE = Duration.ofSeconds(1);

	private final QueueParts parts;

	private final BooleanSupplier listening;

	private final @Nullable WorkNotifier notifier;

	private final Waker waker = new Waker();

	private final QueueRounds rounds;

	private volatile @Nullable Runner runner;

	private volatile boolean stopping;

	/**
	 * Creates a worker.
	 * @param parts what the consumption of work queues is made of
	 * @param executor runs the consumers; must have room for as many tasks as all of them
	 * together may have under way
	 * @param listening whether announcements of other instances arrive
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	public QueueWorker(QueueParts parts, Executor executor, BooleanSupplier listening,
			@Nullable WorkNotifier notifier) {
		this.parts = parts;
		this.listening = listening;
		this.notifier = notifier;
		this.rounds = new QueueRounds(parts, executor, new BatchRun(parts, () -> this.stopping), this.waker::wake);
	}

	/** Messages were added, or a queue was resumed, and that is committed. */
	public void changed() {
		this.waker.wake();
		if (this.notifier != null) {
			this.notifier.announce(Announcement.toEveryone(Queue.QUEUES));
		}
	}

	@Override
	public void announced(Announcement announcement) {
		if (announcement.queue().equals(LABEL)) {
			this.waker.wake();
		}
	}

	@Override
	public void listening(@Nullable Integer backendPid) {
		this.waker.wake();
	}

	/**
	 * Returns how often in a row rounds have failed.
	 * @return the number, 0 when all is well
	 */
	public int consecutiveFailures() {
		Runner current = this.runner;
		return (current != null) ? Math.max(current.failures(), this.rounds.renewalFailures()) : 0;
	}

	/**
	 * Returns how many batches are under way here.
	 * @return the numbers by queue
	 */
	public Map<String, Integer> running() {
		return new TreeMap<>(this.rounds.running());
	}

	/**
	 * Says whether there is anybody here to take messages.
	 * @return whether there is
	 */
	public boolean hasConsumers() {
		return !this.parts.consumers().queues().isEmpty();
	}

	public boolean isRunning() {
		return this.runner != null;
	}

	/** Begins to work. Without consumers there is nothing to do. */
	public void start() {
		if (this.runner != null || !hasConsumers()) {
			return;
		}
		this.stopping = false;
		this.rounds.start();
		this.runner = Runner.start("whizbang-queues", new WorkLoop(NAME, this::step, this.waker));
		logger.info("{} started with {} and {}", NAME, this.parts.consumers().queues(), this.parts.settings());
	}

	/**
	 * Lets consumers end that are under way, and gives back the batches of those that do
	 * not, without counting the attempt.
	 */
	public void stop() {
		Runner current = this.runner;
		if (current == null) {
			return;
		}
		this.stopping = true;
		current.stop();
		current.join(Duration.ofSeconds(5));
		long start = System.nanoTime();
		Duration timeout = this.parts.settings().drainTimeout();
		Duration left = timeout;
		for (Duration pause = drain(); !pause.isZero() && left.compareTo(Duration.ZERO) > 0; pause = drain()) {
			this.waker.await((left.compareTo(pause) < 0) ? left : pause);
			left = timeout.minusNanos(System.nanoTime() - start);
		}
		this.rounds.giveBack();
		this.runner = null;
		if (this.notifier != null) {
			this.notifier.announce(Announcement.toEveryone(Queue.QUEUES));
		}
		logger.info("{} stopped", NAME);
	}

	/** Tells how long to wait for what is still under way. */
	private Duration drain() {
		try {
			return this.rounds.reportEnds() ? Duration.ZERO : MOMENT;
		}
		catch (RuntimeException ex) {
			logger.debug("The ends of batches could not be told yet", ex);
			return WHILE;
		}
	}

	private Duration step() {
		try {
			if (this.rounds.round() > 0) {
				return Duration.ZERO;
			}
			Duration poll = this.listening.getAsBoolean() ? this.parts.settings().listeningPoll()
					: this.parts.settings().maxPoll();
			Duration next = this.rounds.untilNext();
			Duration pause = (next != null && next.compareTo(poll) < 0) ? next : poll;
			return (pause.compareTo(MOMENT) < 0) ? MOMENT : pause;
		}
		catch (RuntimeException ex) {
			this.rounds.forget();
			this.parts.listener().roundFailed(ex);
			throw ex;
		}
	}

	/**
	 * Has all that can be taken consumed, on the thread of the caller, instead of
	 * starting; for tests. Needs an executor that runs tasks at once.
	 * @return whether there was anything to do
	 */
	public boolean runUntilIdle() {
		Assert.state(this.runner == null, "The worker has started, and does by itself what there is to do");
		boolean any = false;
		while (this.rounds.round() > 0) {
			any = true;
		}
		return any;
	}

}
