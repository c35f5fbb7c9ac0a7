package io.whizbang.queue;

import java.time.Duration;

import io.whizbang.worker.GuardedCall;

/**
 * A batch under way here. Its lock is renewed, but not for ever: a consumer that hangs
 * must not keep a key.
 */
final class HeldBatch extends GuardedCall {

	private final QueueBatch batch;

	private final Consumer consumer;

	private final long since;

	private final long atMost;

	HeldBatch(QueueBatch batch, Consumer consumer, long takenAt, Duration lock, Duration maxLock) {
		super(takenAt + lock.toNanos());
		this.batch = batch;
		this.consumer = consumer;
		this.since = takenAt;
		this.atMost = maxLock.toNanos();
	}

	QueueBatch batch() {
		return this.batch;
	}

	Consumer consumer() {
		return this.consumer;
	}

	@Override
	protected boolean isRenewable() {
		return System.nanoTime() - this.since < this.atMost;
	}

}
