package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.whizbang.observation.ObservationNames;
import io.whizbang.perspective.PerspectiveStatus.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows how perspectives stand. While the database does not answer, the gauges have no
 * value.
 */
public final class PerspectiveGauges {

	private static final Logger logger = LoggerFactory.getLogger(PerspectiveGauges.class);

	private static final long MAX_AGE = Duration.ofSeconds(5).toNanos();

	private final Supplier<List<PerspectiveStatus>> source;

	private final ReentrantLock lock = new ReentrantLock();

	private List<PerspectiveStatus> last = List.of();

	private long readAt = System.nanoTime() - MAX_AGE - 1;

	public PerspectiveGauges(Supplier<List<PerspectiveStatus>> source) {
		this.source = source;
	}

	/**
	 * Shows a perspective.
	 * @param name its name
	 * @param registry where to show it
	 */
	public void bind(String name, MeterRegistry registry) {
		gauge(name, ObservationNames.PERSPECTIVE_LAG, "Events that the model has before it", State.SERVING,
				PerspectiveStatus::behind)
			.register(registry);
		gauge(name, ObservationNames.PERSPECTIVE_STREAMS, "Streams that stand still", State.SERVING,
				PerspectiveStatus::retrying)
			.tag(ObservationNames.STATUS, "retrying")
			.register(registry);
		gauge(name, ObservationNames.PERSPECTIVE_STREAMS, "Streams that stand still", State.SERVING,
				PerspectiveStatus::dead)
			.tag(ObservationNames.STATUS, "dead")
			.register(registry);
		gauge(name, ObservationNames.PERSPECTIVE_PROGRESS,
				"Part of all events that the run which is built has behind it", State.BUILDING,
				PerspectiveGauges::progress)
			.register(registry);
	}

	private Gauge.Builder<PerspectiveGauges> gauge(String name, String meter, String description, State state,
			ToDoubleFunction<PerspectiveStatus> figure) {
		return Gauge.builder(meter, this, (gauges) -> gauges.value(name, state, figure))
			.description(description)
			.tag(ObservationNames.PERSPECTIVE, name);
	}

	private double value(String name, State state, ToDoubleFunction<PerspectiveStatus> figure) {
		return status().stream()
			.filter((status) -> status.run().name().equals(name) && status.state() == state)
			.mapToDouble(figure)
			.findFirst()
			.orElse(Double.NaN);
	}

	private static double progress(PerspectiveStatus status) {
		return (status.total() > 0) ? (double) status.done() / status.total() : 1;
	}

	private List<PerspectiveStatus> status() {
		this.lock.lock();
		try {
			if (System.nanoTime() - this.readAt > MAX_AGE) {
				this.last = read();
				this.readAt = System.nanoTime();
			}
			return this.last;
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<PerspectiveStatus> read() {
		try {
			return this.source.get();
		}
		catch (RuntimeException ex) {
			// Health and the worker's log say that the database is away.
			logger.debug("Cannot read how perspectives stand", ex);
			return List.of();
		}
	}

}
