package io.whizbang.test;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.whizbang.message.Envelope;
import io.whizbang.transport.SendResult;

/**
 * Messages that are answered otherwise than by success, for a number of times.
 */
final class Trouble {

	private final Predicate<Envelope> which;

	private final AtomicInteger left;

	private final SendResult result;

	Trouble(Predicate<Envelope> which, int times, SendResult result) {
		this.which = which;
		this.left = new AtomicInteger(times);
		this.result = result;
	}

	boolean strikes(Envelope message) {
		return this.which.test(message) && this.left.getAndUpdate((left) -> Math.max(left - 1, 0)) > 0;
	}

	SendResult result() {
		return this.result;
	}

}
