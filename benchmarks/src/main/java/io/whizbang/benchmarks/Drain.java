package io.whizbang.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How fast a waiting backlog goes: messages per second from start to the last delivery.
 */
final class Drain {

	private static final int STREAMS = 2000;

	private static final int BURST = 5;

	private Drain() {
	}

	/** Returns the stream of a message: a few of one stream come in a row. */
	static String stream(int number) {
		return "stream-" + (number / BURST) % STREAMS;
	}

	static double run(Contender contender, int messages) throws InterruptedException {
		List<Payload> chunk = new ArrayList<>();
		for (int number = 0; number < messages; number++) {
			chunk.add(new Payload(number, stream(number), 0, Payload.TEXT));
			if (chunk.size() == 1000) {
				contender.load(chunk);
				chunk.clear();
			}
		}
		contender.load(chunk);
		CountDownLatch left = new CountDownLatch(messages);
		AtomicIntegerArray last = new AtomicIntegerArray(STREAMS);
		long start = System.nanoTime();
		contender.start((payload) -> {
			inOrder(last, payload);
			left.countDown();
		});
		if (!left.await(5, TimeUnit.MINUTES)) {
			throw new IllegalStateException(contender.name() + " has not delivered " + left.getCount() + " messages");
		}
		double seconds = (System.nanoTime() - start) / 1e9;
		contender.stop();
		return messages / seconds;
	}

	private static void inOrder(AtomicIntegerArray last, Payload payload) {
		int stream = (payload.number() / BURST) % STREAMS;
		int before = last.getAndSet(stream, payload.number() + 1);
		if (before > payload.number() + 1) {
			throw new IllegalStateException("Message " + payload.number() + " came after " + (before - 1));
		}
	}

}
