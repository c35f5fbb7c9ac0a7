package io.whizbang.outbox;

import java.time.Duration;
import java.util.Map;

import io.whizbang.work.RetryPolicy;

import org.springframework.util.Assert;

/**
 * How the outbox stores and delivers.
 *
 * @param ordering whether first deliveries of a stream keep commit order
 * @param strictTopics whether messages to topics that nobody takes are refused at once
 * @param routes topic, or pattern with {@code *}, to the name of a transport, or to
 * {@link #HANDLERS} for the application's own handlers
 * @param retry when a failed delivery is tried again
 * @param topicRetries the same for single topics, or patterns with {@code *}
 * @param unroutableDelay how long a message waits when nobody takes its topic
 * @param unreachableDelay how long a message waits when its transport cannot be reached
 */
public record OutboxSettings(Ordering ordering, boolean strictTopics, Map<String, String> routes, RetryPolicy retry,
		Map<String, RetryPolicy> topicRetries, Duration unroutableDelay, Duration unreachableDelay) {

	/** Route to the topic handlers of the application. */
	public static final String HANDLERS = "handlers";

	public OutboxSettings {
		routes = Map.copyOf(routes);
		topicRetries = Map.copyOf(topicRetries);
		checkPositive("unroutableDelay", unroutableDelay);
		checkPositive("unreachableDelay", unreachableDelay);
	}

	public static OutboxSettings defaults() {
		return new OutboxSettings(Ordering.STRICT, false, Map.of(), RetryPolicy.defaults(), Map.of(),
				Duration.ofSeconds(30), Duration.ofSeconds(5));
	}

	public OutboxSettings withRoutes(Map<String, String> routes) {
		return new OutboxSettings(this.ordering, this.strictTopics, routes, this.retry, this.topicRetries,
				this.unroutableDelay, this.unreachableDelay);
	}

	public OutboxSettings withRetry(RetryPolicy retry) {
		return new OutboxSettings(this.ordering, this.strictTopics, this.routes, retry, this.topicRetries,
				this.unroutableDelay, this.unreachableDelay);
	}

	private static void checkPositive(String name, Duration value) {
		Assert.isTrue(!value.isNegative() && !value.isZero(),
				() -> "%s must be above 0 but is %s".formatted(name, value));
	}

	/** What is kept between transactions that enqueue to the same stream. */
	public enum Ordering {

		/**
		 * Commit order; transactions that share a stream wait for each other's commit.
		 */
		STRICT,

		/** Nothing for transactions that overlap; nobody waits. */
		RELAXED

	}

}
