package io.whizbang.observation;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something that several gauges read together, from a database that is asked for it every
 * few seconds at most. While that does not answer, it has no value.
 *
 * @param <T> what is read
 */
public final class RecentReading<T> {

	private static final Logger logger = LoggerFactory.getLogger(RecentReading.class);

	private static final long MAX_AGE = Duration.ofSeconds(5).toNanos();

	private final String what;

	private final Supplier<T> source;

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable T last;

	private long readAt = System.nanoTime() - MAX_AGE - 1;

	/**
	 * Creates a reading.
	 * @param what what it tells, for the log
	 * @param source reads it
	 */
	public RecentReading(String what, Supplier<T> source) {
		this.what = what;
		this.source = source;
	}

	/**
	 * Returns what was read not long ago.
	 * @return the value, or {@code null} when it cannot be read
	 */
	public @Nullable T get() {
		this.lock.lock();
		try {
			if (System.nanoTime() - this.readAt > MAX_AGE) {
				this.last = read();
				this.readAt = System.nanoTime();
			}
			return this.last;
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable T read() {
		try {
			return this.source.get();
		}
		catch (RuntimeException ex) {
			// Health and the worker's log say that the database is away.
			logger.debug("Cannot read {}", this.what, ex);
			return null;
		}
	}

}
