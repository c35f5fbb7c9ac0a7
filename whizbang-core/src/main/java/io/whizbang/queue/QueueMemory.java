package io.whizbang.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one queue, so that looks at it do not read what is dead: it grows
 * without end while some transaction is left open. Forgotten whenever the database was
 * away: it may have come back as an older one; and else so rarely that it costs nothing.
 */
final class QueueMemory {

	/** Reading the marks costs a look at all locks of the database. */
	private static final long MARK_EVERY = Duration.ofMillis(100).toNanos();

	private static final long LOOK_EVERY = Duration.ofMillis(200).toNanos();

	/** For what became due in a transaction that has committed very late. */
	private static final long SWEEP_EVERY = Duration.ofMinutes(1).toNanos();

	/** The line of ready keys is read from a safe mark, so this is but a net. */
	private static final long FORGET_EVERY = Duration.ofMinutes(10).toNanos();

	private final LongSupplier clock;

	private QueueMarks marks = QueueMarks.UNKNOWN;

	private long markedAt;

	private long lookedAt;

	private long sweptAt;

	private long forgottenAt;

	private boolean known;

	QueueMemory() {
		this(System::nanoTime);
	}

	/**
	 * Creates a memory that goes by another clock, for tests.
	 * @param clock the time in nanoseconds
	 */
	QueueMemory(LongSupplier clock) {
		this.clock = clock;
		this.lookedAt = clock.getAsLong() - LOOK_EVERY;
	}

	/** Returns the marks, moved on when that is worth it. */
	synchronized QueueMarks marks(UnaryOperator<QueueMarks> move) {
		long now = this.clock.getAsLong();
		if (!this.known || now - this.forgottenAt > FORGET_EVERY) {
			this.marks = QueueMarks.UNKNOWN;
			this.forgottenAt = now;
			this.sweptAt = now;
			this.markedAt = now;
			this.known = true;
		}
		else if (now - this.sweptAt > SWEEP_EVERY) {
			this.marks = new QueueMarks(this.marks.low(), null);
			this.sweptAt = now;
			this.markedAt = now;
		}
		else if (now - this.markedAt > MARK_EVERY) {
			this.known = false;
			this.marks = move.apply(this.marks);
			this.known = true;
			this.markedAt = now;
		}
		return this.marks;
	}

	/** Returns before when nothing is due, or {@code null} when that is not known. */
	synchronized @Nullable Instant dueFrom() {
		return this.known ? this.marks.dueFrom() : null;
	}

	/** Says whether it is time to look for what has become due by itself. */
	synchronized boolean isLookDue() {
		long now = this.clock.getAsLong();
		if (now - this.lookedAt < LOOK_EVERY) {
			return false;
		}
		this.lookedAt = now;
		return true;
	}

	synchronized void forget() {
		this.known = false;
	}

}
