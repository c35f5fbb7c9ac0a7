package io.whizbang.transport.rabbit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.test.Await;
import io.whizbang.transport.Arrival;
import io.whizbang.transport.Intake;

/**
 * Keeps what arrives, and fails as often as a test wants.
 */
final class RecordingIntake implements Intake {

	private final List<Arrival> taken = new CopyOnWriteArrayList<>();

	private final AtomicInteger calls = new AtomicInteger();

	private final AtomicInteger failures = new AtomicInteger();

	void fail(int times) {
		this.failures.set(times);
	}

	int calls() {
		return this.calls.get();
	}

	@Override
	public void take(List<Arrival> arrivals) {
		this.calls.incrementAndGet();
		if (this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			throw new IllegalStateException("The database is away");
		}
		this.taken.addAll(arrivals);
	}

	List<Arrival> await(int count) {
		Await.until(() -> count + " arrivals, of which there are " + this.taken.size(),
				() -> this.taken.size() >= count);
		return this.taken;
	}

	List<String> payloads() {
		return this.taken.stream().map((arrival) -> new String(arrival.payload(), StandardCharsets.UTF_8)).toList();
	}

}
