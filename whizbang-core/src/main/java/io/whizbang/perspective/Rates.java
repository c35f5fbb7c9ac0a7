package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * How fast runs move, as far as this instance has seen it.
 */
final class Rates {

	private static final long WINDOW = Duration.ofSeconds(10).toNanos();

	private static final long LEAST = Duration.ofMillis(200).toNanos();

	private final LongSupplier nanoTime;

	private final Map<PerspectiveRun, Window> windows = new ConcurrentHashMap<>();

	Rates(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	List<PerspectiveStatus> rated(List<PerspectiveStatus> statuses) {
		return statuses.stream().map(this::rated).toList();
	}

	private PerspectiveStatus rated(PerspectiveStatus status) {
		long now = this.nanoTime.getAsLong();
		Window window = this.windows.compute(status.run(), (run, known) -> {
			// A rebuild in place goes back to the start.
			if (known == null || status.done() < known.seen) {
				return new Window(now, status.done(), now, status.done(), status.done());
			}
			return (now - known.laterAt > WINDOW)
					? new Window(known.laterAt, known.later, now, status.done(), status.done())
					: new Window(known.at, known.done, known.laterAt, known.later, status.done());
		});
		long elapsed = now - window.at;
		return (elapsed < LEAST) ? status : status.with((status.done() - window.done) * 1e9 / elapsed);
	}

	/**
	 * Two places of the past: rates are measured from the older one.
	 *
	 * @param at when it was at the older place
	 * @param done the older place
	 * @param laterAt when it was at the later place
	 * @param later the later place
	 * @param seen where it was at the last look
	 */
	private record Window(long at, long done, long laterAt, long later, long seen) {

	}

}
