package io.whizbang.worker;

import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Does something now and then on a thread of its own. Nothing that it throws ends it.
 */
public final class Chore implements SmartLifecycle {

	private static final Duration FAREWELL = Duration.ofSeconds(5);

	private final String name;

	private final Supplier<Duration> round;

	private volatile @Nullable Runner runner;

	/**
	 * Creates a chore.
	 * @param name what it is called in the log
	 * @param round does it once, and tells how long to wait until the next time
	 */
	public Chore(String name, Supplier<Duration> round) {
		this.name = name;
		this.round = round;
	}

	@Override
	public void start() {
		if (this.runner == null) {
			this.runner = Runner.start("whizbang-chore", new WorkLoop(this.name, this.round::get, new Waker()));
		}
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

	@Override
	public int getPhase() {
		return EngineLifecycle.PHASE;
	}

}
