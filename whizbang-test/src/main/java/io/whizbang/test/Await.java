package io.whizbang.test;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Waits for what other threads or processes do, instead of sleeping and hoping.
 */
public final class Await {

	/** How long a test waits for what is to come soon. */
	public static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration PAUSE = Duration.ofMillis(10);

	private Await() {
	}

	/**
	 * Waits up to {@link #PATIENCE} until a condition holds.
	 * @param what what is awaited, for the message when it does not come
	 * @param condition the condition
	 */
	public static void until(String what, Callable<Boolean> condition) {
		until(() -> what, condition);
	}

	/**
	 * Waits up to {@link #PATIENCE} until a condition holds.
	 * @param what what is awaited, asked for only when it does not come, so that it can
	 * tell what came instead
	 * @param condition the condition
	 */
	public static void until(Supplier<String> what, Callable<Boolean> condition) {
		until(what, PATIENCE, condition);
	}

	/**
	 * Waits until a condition holds.
	 * @param what what is awaited, asked for only when it does not come, so that it can
	 * tell what came instead
	 * @param patience how long
	 * @param condition the condition
	 */
	public static void until(Supplier<String> what, Duration patience, Callable<Boolean> condition) {
		try {
			Awaitility.await().pollDelay(Duration.ZERO).pollInterval(PAUSE).atMost(patience).until(condition);
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError("Waited " + patience.toMillis() + " ms in vain for " + what.get(), ex);
		}
	}

	/**
	 * Waits up to {@link #PATIENCE} until an assertion holds.
	 * @param assertion the assertion; its own message is reported when it never does
	 */
	public static void untilAsserted(Runnable assertion) {
		Awaitility.await().pollDelay(Duration.ZERO).pollInterval(PAUSE).atMost(PATIENCE).untilAsserted(assertion::run);
	}

}
