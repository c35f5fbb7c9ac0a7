package io.whizbang.perspective;

import java.time.Duration;

import io.whizbang.work.RetryPolicy;

import org.springframework.util.Assert;

/**
 * How perspectives are worked on.
 *
 * @param pageSize how many events are read, and applied in one transaction, at most
 * @param pageBytes how large their payloads may be together, unless it is a single one
 * @param streamBatch how many events of one stream are applied in one transaction
 * @param concurrency how many parts of perspectives one instance works on at once
 * @param retry when a stream that has failed is tried again
 * @param lease how long a shard stays with an instance that does not renew it
 * @param minPoll shortest pause between two looks for events that nobody announced
 * @param maxPoll longest such pause while nobody listens for announcements
 * @param listeningPoll longest such pause while the listener is healthy
 * @param progressInterval how often the log tells how far a rebuild is
 * @param retireAfter how long what a retired run has left is kept, for readers that do
 * not know of the switch yet; at least {@link #MIN_RETIRE_AFTER}
 * @param drainTimeout how long a page may take to end when the worker stops
 */
public record PerspectiveSettings(int pageSize, long pageBytes, int streamBatch, int concurrency, RetryPolicy retry,
		Duration lease, Duration minPoll, Duration maxPoll, Duration listeningPoll, Duration progressInterval,
		Duration retireAfter, Duration drainTimeout) {

	/**
	 * Readers know for a second which run serves, and then still have to read; its tables
	 * must not go away meanwhile.
	 */
	public static final Duration MIN_RETIRE_AFTER = JdbcPerspectives.SERVING_KNOWN.multipliedBy(2);

	/** Positions that one page looks at, for every event that it may have. */
	private static final int SCAN = 20;

	public PerspectiveSettings {
		Assert.isTrue(pageSize >= 1, () -> "pageSize must be at least 1 but is " + pageSize);
		Assert.isTrue(pageBytes >= 1, () -> "pageBytes must be at least 1 but is " + pageBytes);
		Assert.isTrue(streamBatch >= 1, () -> "streamBatch must be at least 1 but is " + streamBatch);
		Assert.isTrue(concurrency >= 1, () -> "concurrency must be at least 1 but is " + concurrency);
		positive(lease, "lease");
		positive(minPoll, "minPoll");
		positive(progressInterval, "progressInterval");
		Assert.isTrue(maxPoll.compareTo(minPoll) >= 0,
				() -> "maxPoll must not be below minPoll (" + minPoll + ") but is " + maxPoll);
		Assert.isTrue(listeningPoll.compareTo(minPoll) >= 0,
				() -> "listeningPoll must not be below minPoll (" + minPoll + ") but is " + listeningPoll);
		Assert.isTrue(retireAfter.compareTo(MIN_RETIRE_AFTER) >= 0,
				() -> "retireAfter must be at least %s, because readers know for %s which run serves, but is %s"
					.formatted(MIN_RETIRE_AFTER, JdbcPerspectives.SERVING_KNOWN, retireAfter));
		Assert.isTrue(!drainTimeout.isNegative(), () -> "drainTimeout must not be negative but is " + drainTimeout);
	}

	public static PerspectiveSettings defaults() {
		return new PerspectiveSettings(1000, 4 * 1024 * 1024, 100, 4, RetryPolicy.defaults(), Duration.ofSeconds(30),
				Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(10),
				Duration.ofMinutes(1), Duration.ofSeconds(25));
	}

	/**
	 * Returns these settings with other sizes of what is applied at once.
	 * @param pageSize how many events at most
	 * @param streamBatch how many events of one stream at most
	 * @return the settings
	 */
	public PerspectiveSettings withPages(int pageSize, int streamBatch) {
		return new PerspectiveSettings(pageSize, this.pageBytes, streamBatch, this.concurrency, this.retry, this.lease,
				this.minPoll, this.maxPoll, this.listeningPoll, this.progressInterval, this.retireAfter,
				this.drainTimeout);
	}

	public PerspectiveSettings withConcurrency(int concurrency) {
		return new PerspectiveSettings(this.pageSize, this.pageBytes, this.streamBatch, concurrency, this.retry,
				this.lease, this.minPoll, this.maxPoll, this.listeningPoll, this.progressInterval, this.retireAfter,
				this.drainTimeout);
	}

	public PerspectiveSettings withRetry(RetryPolicy retry) {
		return new PerspectiveSettings(this.pageSize, this.pageBytes, this.streamBatch, this.concurrency, retry,
				this.lease, this.minPoll, this.maxPoll, this.listeningPoll, this.progressInterval, this.retireAfter,
				this.drainTimeout);
	}

	public PerspectiveSettings withLease(Duration lease) {
		return new PerspectiveSettings(this.pageSize, this.pageBytes, this.streamBatch, this.concurrency, this.retry,
				lease, this.minPoll, this.maxPoll, this.listeningPoll, this.progressInterval, this.retireAfter,
				this.drainTimeout);
	}

	/**
	 * Returns these settings with other pauses between looks for events.
	 * @param minPoll the shortest
	 * @param maxPoll the longest while nobody listens
	 * @param listeningPoll the longest while the listener is healthy
	 * @return the settings
	 */
	public PerspectiveSettings withPoll(Duration minPoll, Duration maxPoll, Duration listeningPoll) {
		return new PerspectiveSettings(this.pageSize, this.pageBytes, this.streamBatch, this.concurrency, this.retry,
				this.lease, minPoll, maxPoll, listeningPoll, this.progressInterval, this.retireAfter,
				this.drainTimeout);
	}

	public PerspectiveSettings withRetireAfter(Duration retireAfter) {
		return new PerspectiveSettings(this.pageSize, this.pageBytes, this.streamBatch, this.concurrency, this.retry,
				this.lease, this.minPoll, this.maxPoll, this.listeningPoll, this.progressInterval, retireAfter,
				this.drainTimeout);
	}

	JdbcFeed.PageSize page() {
		return new JdbcFeed.PageSize(this.pageSize, (long) this.pageSize * SCAN, this.pageBytes);
	}

	JdbcFeed.PageSize stream(int events) {
		return new JdbcFeed.PageSize(events, events, this.pageBytes);
	}

	private static void positive(Duration value, String name) {
		Assert.isTrue(!value.isNegative() && !value.isZero(), () -> name + " must be above 0 but is " + value);
	}

}
