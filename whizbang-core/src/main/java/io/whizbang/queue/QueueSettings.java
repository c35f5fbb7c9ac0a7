package io.whizbang.queue;

import java.time.Duration;

import io.whizbang.work.RetryPolicy;

import org.springframework.util.Assert;

/**
 * How an instance goes about work queues.
 *
 * @param lock how long a key is locked, unless that is renewed
 * @param maxLock how long the consumers' locks are renewed at most
 * @param batchSize how many messages of a key go out at once
 * @param batchBytes how large they may be together, unless one alone is larger
 * @param retry when failed messages are tried again, and how often
 * @param concurrency how many batches of a queue are under way here at once, unless its
 * consumer says otherwise
 * @param maxPoll longest pause between two looks while nobody listens for announcements
 * @param listeningPoll longest such pause while the listener is healthy
 * @param drainTimeout how long consumers may take to end when the worker stops
 */
public record QueueSettings(Duration lock, Duration maxLock, int batchSize, long batchBytes, RetryPolicy retry,
		int concurrency, Duration maxPoll, Duration listeningPoll, Duration drainTimeout) {

	static final int MAX_BATCH = 10_000;

	public QueueSettings {
		QueueLimits.checkLock(lock);
		Assert.isTrue(maxLock.compareTo(lock) >= 0,
				() -> "maxLock must not be below lock (%s) but is %s".formatted(lock, maxLock));
		Assert.isTrue(batchSize > 0 && batchSize <= MAX_BATCH,
				() -> "batchSize must be between 1 and %d but is %d".formatted(MAX_BATCH, batchSize));
		Assert.isTrue(batchBytes > 0, () -> "batchBytes must be above 0 but is " + batchBytes);
		Assert.isTrue(concurrency > 0, () -> "concurrency must be above 0 but is " + concurrency);
		positive(maxPoll, "maxPoll");
		positive(listeningPoll, "listeningPoll");
		Assert.isTrue(!drainTimeout.isNegative(), () -> "drainTimeout must not be negative but is " + drainTimeout);
	}

	public static QueueSettings defaults() {
		return new QueueSettings(Duration.ofSeconds(30), Duration.ofHours(1), 100, 1024 * 1024, RetryPolicy.defaults(),
				8, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(25));
	}

	public QueueSettings withLock(Duration lock, Duration maxLock) {
		return new QueueSettings(lock, maxLock, this.batchSize, this.batchBytes, this.retry, this.concurrency,
				this.maxPoll, this.listeningPoll, this.drainTimeout);
	}

	public QueueSettings withBatch(int batchSize, long batchBytes) {
		return new QueueSettings(this.lock, this.maxLock, batchSize, batchBytes, this.retry, this.concurrency,
				this.maxPoll, this.listeningPoll, this.drainTimeout);
	}

	public QueueSettings withRetry(RetryPolicy retry) {
		return new QueueSettings(this.lock, this.maxLock, this.batchSize, this.batchBytes, retry, this.concurrency,
				this.maxPoll, this.listeningPoll, this.drainTimeout);
	}

	/**
	 * Returns these settings with other pauses between looks.
	 * @param maxPoll the longest while nobody listens
	 * @param listeningPoll the longest while the listener is healthy
	 * @return the settings
	 */
	public QueueSettings withPoll(Duration maxPoll, Duration listeningPoll) {
		return new QueueSettings(this.lock, this.maxLock, this.batchSize, this.batchBytes, this.retry, this.concurrency,
				maxPoll, listeningPoll, this.drainTimeout);
	}

	public QueueSettings withDrainTimeout(Duration drainTimeout) {
		return new QueueSettings(this.lock, this.maxLock, this.batchSize, this.batchBytes, this.retry, this.concurrency,
				this.maxPoll, this.listeningPoll, drainTimeout);
	}

	private static void positive(Duration value, String name) {
		Assert.isTrue(!value.isNegative() && !value.isZero(), () -> name + " must be above 0 but is " + value);
	}

}
