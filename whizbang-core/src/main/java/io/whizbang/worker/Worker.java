package io.whizbang.worker;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

import io.whizbang.worker.WorkerStatus.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a pump on a thread of its own, from start to stop and as often as wanted. Whoever
 * stops or pauses it lets running work end; what has not started goes back.
 */
public final class Worker implements Pausable {

	private static final Logger logger = LoggerFactory.getLogger(Worker.class);

	/** For a last exchange and the farewell, on top of what the work may take. */
	private static final Duration FAREWELL = Duration.ofSeconds(5);

	private final WorkPump pump;

	private final WorkerSettings settings;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile State state = State.STOPPED;

	private volatile @Nullable Runner runner;

	private @Nullable Runner last;

	public Worker(WorkPump pump) {
		this.pump = pump;
		this.settings = pump.settings();
	}

	public WorkPump pump() {
		return this.pump;
	}

	@Override
	public String label() {
		return this.pump.queue().label();
	}

	@Override
	public String state() {
		return this.state.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Starts the worker unless it runs, or is paused: then it takes {@link #resume()}.
	 */
	public void start() {
		this.lock.lock();
		try {
			if (this.state == State.STOPPED || this.state == State.UNUSED) {
				run();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Leaves the share to others until {@link #resume()}; returns when running work has
	 * ended.
	 */
	@Override
	public void pause() {
		stopAs(State.PAUSED);
	}

	/** Goes on after a pause. */
	@Override
	public void resume() {
		this.lock.lock();
		try {
			if (this.state == State.PAUSED) {
				run();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Begins to stop, without waiting for it. */
	void beginStop() {
		Runner running = this.runner;
		if (running != null) {
			this.state = State.STOPPING;
			this.pump.close();
			running.stop();
		}
	}

	/** Stops the worker; returns when running work has ended, or has had its time to. */
	public void stop() {
		stopAs(State.STOPPED);
	}

	/**
	 * Returns how the worker stands.
	 * @return its status now
	 */
	public WorkerStatus status() {
		Runner running = this.runner;
		return this.pump.status(this.state, (running != null) ? running.failures() : 0);
	}

	private void run() {
		if (!this.pump.isWanted()) {
			this.state = State.UNUSED;
			logger.info("{} has nobody to hand messages to; they are left to other instances", this.pump.name());
			return;
		}
		Runner last = this.last;
		if (last != null && last.isAlive()) {
			throw new IllegalStateException(this.pump.name() + " still waits for an answer of the database from before "
					+ "it was stopped; start it again when the database answers");
		}
		this.pump.open();
		WorkLoop loop = new WorkLoop(this.pump.name(), this.pump::step, this.pump.waker());
		this.runner = Runner.start("whizbang-" + this.pump.queue().label(), loop,
				() -> this.pump.drain(this.settings.drainTimeout()));
		this.state = State.RUNNING;
		logger.info("{} started with {}", this.pump.name(), this.settings);
	}

	private void stopAs(State target) {
		this.lock.lock();
		try {
			Runner running = this.runner;
			if (running != null) {
				beginStop();
				if (!running.join(this.settings.drainTimeout().plus(FAREWELL))) {
					logger.warn("{} does not end: the database does not answer; its leases end by themselves",
							this.pump.name());
				}
				this.runner = null;
				this.last = running;
				logger.info("{} {}", this.pump.name(), (target == State.PAUSED) ? "paused" : "stopped");
			}
			this.state = target;
		}
		finally {
			this.lock.unlock();
		}
	}

}
