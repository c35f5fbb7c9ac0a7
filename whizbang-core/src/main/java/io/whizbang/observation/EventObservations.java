package io.whizbang.observation;

import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes events on their way into the store. Without an observation registry nothing is
 * observed and nothing is paid.
 */
public final class EventObservations {

	/** Observes nothing. */
	public static final EventObservations NONE = new EventObservations(ObservationRegistry.NOOP, null);

	private final ObservationRegistry registry;

	private final @Nullable AppendConvention appendConvention;

	/**
	 * Creates observations.
	 * @param registry who wants to know
	 * @param appendConvention the application's own names and tags, or {@code null}
	 */
	public EventObservations(ObservationRegistry registry, @Nullable AppendConvention appendConvention) {
		this.registry = registry;
		this.appendConvention = appendConvention;
	}

	/**
	 * Observes an append.
	 * @param <T> what the append returns
	 * @param stream the first stream's key
	 * @param type the first event's type
	 * @param count how many events
	 * @param append appends the events with the metadata that tracing adds
	 * @return what the append returns
	 */
	public <T> T append(String stream, String type, int count, Function<Map<String, String>, T> append) {
		if (this.registry.isNoop()) {
			return append.apply(Map.of());
		}
		AppendContext context = new AppendContext(stream, type, count);
		Supplier<T> observed = () -> append.apply(context.headers());
		return Objects.requireNonNull(WhizbangObservation.APPEND
			.observation(this.appendConvention, AppendConvention.Default.INSTANCE, () -> context, this.registry)
			.observe(observed));
	}

}
