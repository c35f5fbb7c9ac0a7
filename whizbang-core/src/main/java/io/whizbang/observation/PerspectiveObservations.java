package io.whizbang.observation;

import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes what perspectives apply, a transaction at a time. Without an observation
 * registry nothing is observed and nothing is paid.
 */
public final class PerspectiveObservations {

	/** Observes nothing. */
	public static final PerspectiveObservations NONE = new PerspectiveObservations(ObservationRegistry.NOOP, null);

	private final ObservationRegistry registry;

	private final @Nullable ApplyConvention applyConvention;

	/**
	 * Creates observations.
	 * @param registry who wants to know
	 * @param applyConvention the application's own names and tags, or {@code null}
	 */
	public PerspectiveObservations(ObservationRegistry registry, @Nullable ApplyConvention applyConvention) {
		this.registry = registry;
		this.applyConvention = applyConvention;
	}

	/**
	 * Observes a transaction that applies events.
	 * @param <E> what it may throw
	 * @param perspective who applies them
	 * @param stream the key of a stream that goes by itself, or {@code null}
	 * @param transaction applies them
	 * @param applied tells afterwards how many there were
	 * @param reason finds in what was thrown what people want to see
	 * @throws E what the transaction throws
	 */
	public <E extends Exception> void apply(String perspective, @Nullable String stream,
			Observation.CheckedRunnable<E> transaction, IntSupplier applied, UnaryOperator<Throwable> reason) throws E {
		if (this.registry.isNoop()) {
			transaction.run();
			return;
		}
		ApplyContext context = new ApplyContext(perspective, stream);
		Observation observation = WhizbangObservation.APPLY
			.observation(this.applyConvention, ApplyConvention.Default.INSTANCE, () -> context, this.registry)
			.start();
		try (Observation.Scope scope = observation.openScope()) {
			transaction.run();
		}
		catch (Throwable ex) {
			observation.error(reason.apply(ex));
			throw ex;
		}
		finally {
			context.count(applied.getAsInt());
			observation.stop();
		}
	}

}
