package io.whizbang.worker;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * How one worker goes about its queue.
 *
 * @param batchSize how many messages one claim has at most
 * @param concurrency how many calls of the handler run at once
 * @param prefetch how many messages may be in this instance's hands at once
 * @param handOver how many messages one call of the handler gets at most
 * @param flushInterval how long a finished claim may wait to be reported
 * @param partialFlush how long results of an unfinished claim may wait to be reported
 * @param handlerTimeout how long one call of the handler may take before it is
 * interrupted
 * @param maxRenewals how often the lease of a claim is renewed at most
 * @param minPoll shortest pause between two looks for work that nobody announced
 * @param maxPoll longest such pause while nobody listens for announcements
 * @param listeningPoll longest such pause while the listener is healthy
 * @param stealWhenIdle whether an idle instance takes work of other instances' share
 * @param drainTimeout how long running work may take to end when the worker stops
 */
public record WorkerSettings(int batchSize, int concurrency, int prefetch, int handOver, Duration flushInterval,
		Duration partialFlush, Duration handlerTimeout, int maxRenewals, Duration minPoll, Duration maxPoll,
		Duration listeningPoll, boolean stealWhenIdle, Duration drainTimeout) {

	public WorkerSettings {
		atLeast(1, batchSize, "batchSize");
		atLeast(1, concurrency, "concurrency");
		atLeast(1, prefetch, "prefetch");
		atLeast(1, handOver, "handOver");
		atLeast(0, maxRenewals, "maxRenewals");
		notNegative(flushInterval, "flushInterval");
		notNegative(partialFlush, "partialFlush");
		notNegative(drainTimeout, "drainTimeout");
		positive(handlerTimeout, "handlerTimeout");
		positive(minPoll, "minPoll");
		Assert.isTrue(maxPoll.compareTo(minPoll) >= 0,
				() -> "maxPoll must not be below minPoll (" + minPoll + ") but is " + maxPoll);
		Assert.isTrue(listeningPoll.compareTo(minPoll) >= 0,
				() -> "listeningPoll must not be below minPoll (" + minPoll + ") but is " + listeningPoll);
	}

	public static WorkerSettings defaults() {
		return new WorkerSettings(2000, Math.max(4, 2 * Runtime.getRuntime().availableProcessors()), 6000, 500,
				Duration.ofMillis(3), Duration.ofMillis(50), Duration.ofSeconds(60), 12, Duration.ofMillis(50),
				Duration.ofSeconds(1), Duration.ofSeconds(10), false, Duration.ofSeconds(25));
	}

	/**
	 * Returns these settings with another batch size, and room for three such batches.
	 * @param batchSize the batch size
	 * @return the settings
	 */
	public WorkerSettings withBatchSize(int batchSize) {
		return new WorkerSettings(batchSize, this.concurrency, 3 * batchSize, this.handOver, this.flushInterval,
				this.partialFlush, this.handlerTimeout, this.maxRenewals, this.minPoll, this.maxPoll,
				this.listeningPoll, this.stealWhenIdle, this.drainTimeout);
	}

	public WorkerSettings withConcurrency(int concurrency) {
		return new WorkerSettings(this.batchSize, concurrency, this.prefetch, this.handOver, this.flushInterval,
				this.partialFlush, this.handlerTimeout, this.maxRenewals, this.minPoll, this.maxPoll,
				this.listeningPoll, this.stealWhenIdle, this.drainTimeout);
	}

	public WorkerSettings withPrefetch(int prefetch) {
		return new WorkerSettings(this.batchSize, this.concurrency, prefetch, this.handOver, this.flushInterval,
				this.partialFlush, this.handlerTimeout, this.maxRenewals, this.minPoll, this.maxPoll,
				this.listeningPoll, this.stealWhenIdle, this.drainTimeout);
	}

	public WorkerSettings withHandOver(int handOver) {
		return new WorkerSettings(this.batchSize, this.concurrency, this.prefetch, handOver, this.flushInterval,
				this.partialFlush, this.handlerTimeout, this.maxRenewals, this.minPoll, this.maxPoll,
				this.listeningPoll, this.stealWhenIdle, this.drainTimeout);
	}

	/**
	 * Returns these settings with other times for reporting results.
	 * @param flushInterval how long a finished claim may wait
	 * @param partialFlush how long results of an unfinished claim may wait
	 * @return the settings
	 */
	public WorkerSettings withFlush(Duration flushInterval, Duration partialFlush) {
		return new WorkerSettings(this.batchSize, this.concurrency, this.prefetch, this.handOver, flushInterval,
				partialFlush, this.handlerTimeout, this.maxRenewals, this.minPoll, this.maxPoll, this.listeningPoll,
				this.stealWhenIdle, this.drainTimeout);
	}

	public WorkerSettings withHandlerTimeout(Duration handlerTimeout) {
		return new WorkerSettings(this.batchSize, this.concurrency, this.prefetch, this.handOver, this.flushInterval,
				this.partialFlush, handlerTimeout, this.maxRenewals, this.minPoll, this.maxPoll, this.listeningPoll,
				this.stealWhenIdle, this.drainTimeout);
	}

	public WorkerSettings withMaxRenewals(int maxRenewals) {
		return new WorkerSettings(this.batchSize, this.concurrency, this.prefetch, this.handOver, this.flushInterval,
				this.partialFlush, this.handlerTimeout, maxRenewals, this.minPoll, this.maxPoll, this.listeningPoll,
				this.stealWhenIdle, this.drainTimeout);
	}

	/**
	 * Returns these settings with other pauses between looks for work.
	 * @param minPoll the shortest
	 * @param maxPoll the longest while nobody listens
	 * @param listeningPoll the longest while the listener is healthy
	 * @return the settings
	 */
	public WorkerSettings withPoll(Duration minPoll, Duration maxPoll, Duration listeningPoll) {
		return new WorkerSettings(this.batchSize, this.concurrency, this.prefetch, this.handOver, this.flushInterval,
				this.partialFlush, this.handlerTimeout, this.maxRenewals, minPoll, maxPoll, listeningPoll,
				this.stealWhenIdle, this.drainTimeout);
	}

	public WorkerSettings withStealWhenIdle(boolean stealWhenIdle) {
		return new WorkerSettings(this.batchSize, this.concurrency, this.prefetch, this.handOver, this.flushInterval,
				this.partialFlush, this.handlerTimeout, this.maxRenewals, this.minPoll, this.maxPoll,
				this.listeningPoll, stealWhenIdle, this.drainTimeout);
	}

	public WorkerSettings withDrainTimeout(Duration drainTimeout) {
		return new WorkerSettings(this.batchSize, this.concurrency, this.prefetch, this.handOver, this.flushInterval,
				this.partialFlush, this.handlerTimeout, this.maxRenewals, this.minPoll, this.maxPoll,
				this.listeningPoll, this.stealWhenIdle, drainTimeout);
	}

	private static void atLeast(int least, int value, String name) {
		Assert.isTrue(value >= least, () -> name + " must be at least " + least + " but is " + value);
	}

	private static void positive(Duration value, String name) {
		Assert.isTrue(!value.isNegative() && !value.isZero(), () -> name + " must be above 0 but is " + value);
	}

	private static void notNegative(Duration value, String name) {
		Assert.isTrue(!value.isNegative(), () -> name + " must not be negative but is " + value);
	}

}
