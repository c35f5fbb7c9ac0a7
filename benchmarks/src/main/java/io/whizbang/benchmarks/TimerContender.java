package io.whizbang.benchmarks;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * One side of the comparison of timers.
 */
interface TimerContender extends AutoCloseable {

	String name();

	/** Schedules timers together, each with its due time as payload. */
	void schedule(List<Instant> dues);

	/** Starts to fire. */
	void start(Consumer<Instant> fired);

	/** Stops firing. */
	void stop();

	@Override
	void close();

}
