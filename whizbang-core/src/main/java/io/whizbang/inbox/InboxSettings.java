package io.whizbang.inbox;

import java.time.Duration;
import java.util.Map;

import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * How the inbox remembers and handles.
 *
 * @param retention how long it remembers which messages were received, or {@code null}
 * for ever
 * @param unhandled what becomes of messages that no receptor takes
 * @param unhandledDelay how long such a message waits until it is looked at again
 * @param retry when a failed message is tried again
 * @param topicRetries the same for single topics, or patterns with {@code *}
 * @param maxPayloadSize how many characters of JSON the payload of a message may have
 */
public record InboxSettings(@Nullable Duration retention, Unhandled unhandled, Duration unhandledDelay,
		RetryPolicy retry, Map<String, RetryPolicy> topicRetries, long maxPayloadSize) {

	/** A call that takes longer waits for something that will not come. */
	static final int CALL_TIMEOUT_SECONDS = 30;

	public InboxSettings {
		Assert.isTrue(retention == null || isPositive(retention),
				() -> "retention must be above 0 but is %s".formatted(retention));
		Assert.isTrue(isPositive(unhandledDelay),
				() -> "unhandledDelay must be above 0 but is %s".formatted(unhandledDelay));
		topicRetries = Map.copyOf(topicRetries);
		Assert.isTrue(maxPayloadSize > 0, () -> "maxPayloadSize must be above 0 but is %d".formatted(maxPayloadSize));
	}

	public static InboxSettings defaults() {
		return new InboxSettings(null, Unhandled.KEEP, Duration.ofSeconds(30), RetryPolicy.defaults(), Map.of(),
				Long.MAX_VALUE);
	}

	public InboxSettings withRetention(@Nullable Duration retention) {
		return new InboxSettings(retention, this.unhandled, this.unhandledDelay, this.retry, this.topicRetries,
				this.maxPayloadSize);
	}

	public InboxSettings withUnhandled(Unhandled unhandled) {
		return new InboxSettings(this.retention, unhandled, this.unhandledDelay, this.retry, this.topicRetries,
				this.maxPayloadSize);
	}

	public InboxSettings withRetry(RetryPolicy retry) {
		return new InboxSettings(this.retention, this.unhandled, this.unhandledDelay, retry, this.topicRetries,
				this.maxPayloadSize);
	}

	public InboxSettings withMaxPayloadSize(long maxPayloadSize) {
		return new InboxSettings(this.retention, this.unhandled, this.unhandledDelay, this.retry, this.topicRetries,
				maxPayloadSize);
	}

	private static boolean isPositive(Duration value) {
		return !value.isNegative() && !value.isZero();
	}

	/** What becomes of messages that no receptor takes. */
	public enum Unhandled {

		/** They wait for an instance that has a receptor. */
		KEEP,

		/** They are completed, and counted. */
		COMPLETE

	}

}
