package io.whizbang.observation;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.whizbang.message.Envelope;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Observes messages on their way in and out. Without an observation registry nothing is
 * observed and nothing is paid.
 */
public final class MessageObservations {

	/** Observes nothing. */
	public static final MessageObservations NONE = new MessageObservations(ObservationRegistry.NOOP, null, null, null);

	private final ObservationRegistry registry;

	private final BoundedNames topics = new BoundedNames();

	private final @Nullable EnqueueConvention enqueueConvention;

	private final @Nullable DeliverConvention deliverConvention;

	private final @Nullable HandleConvention handleConvention;

	/**
	 * Creates observations.
	 * @param registry who wants to know
	 * @param enqueueConvention the application's own names and tags, or {@code null}
	 * @param deliverConvention the application's own names and tags, or {@code null}
	 * @param handleConvention the application's own names and tags, or {@code null}
	 */
	public MessageObservations(ObservationRegistry registry, @Nullable EnqueueConvention enqueueConvention,
			@Nullable DeliverConvention deliverConvention, @Nullable HandleConvention handleConvention) {
		this.registry = registry;
		this.enqueueConvention = enqueueConvention;
		this.deliverConvention = deliverConvention;
		this.handleConvention = handleConvention;
	}

	/**
	 * Observes an enqueue.
	 * @param queue the queue
	 * @param topic the first message's topic
	 * @param count how many messages
	 * @param enqueue enqueues the messages with the headers that tracing adds
	 */
	public void enqueue(Queue queue, String topic, int count, Consumer<Map<String, String>> enqueue) {
		if (this.registry.isNoop()) {
			enqueue.accept(Map.of());
			return;
		}
		EnqueueContext context = new EnqueueContext(queue, topic, this.topics.of(topic), count);
		WhizbangObservation.ENQUEUE
			.observation(this.enqueueConvention, EnqueueConvention.Default.INSTANCE, () -> context, this.registry)
			.observe(() -> enqueue.accept(context.headers()));
	}

	/**
	 * Observes a delivery that runs inside of the application.
	 * @param queue the queue
	 * @param envelope the message
	 * @param destination what takes it
	 * @param delivery the delivery
	 * @return what became of it
	 */
	public Outcome deliver(Queue queue, Envelope envelope, String destination, Supplier<Outcome> delivery) {
		if (this.registry.isNoop()) {
			return delivery.get();
		}
		DeliverContext context = new DeliverContext(queue, envelope, this.topics.of(envelope.topic()), destination,
				Kind.CONSUMER);
		Observation observation = observation(context).start();
		try (Observation.Scope scope = observation.openScope()) {
			Outcome outcome = delivery.get();
			context.outcome(outcome);
			return outcome;
		}
		catch (RuntimeException | Error ex) {
			observation.error(ex);
			throw ex;
		}
		finally {
			observation.stop();
		}
	}

	/**
	 * Observes a receptor.
	 * @param <E> what the receptor may throw
	 * @param envelope the message
	 * @param receptor the receptor's name
	 * @param handling what the receptor does
	 * @throws E what the receptor throws
	 */
	public <E extends Exception> void handle(Envelope envelope, String receptor,
			Observation.CheckedRunnable<E> handling) throws E {
		if (this.registry.isNoop()) {
			handling.run();
			return;
		}
		WhizbangObservation.HANDLE
			.observation(this.handleConvention, HandleConvention.Default.INSTANCE,
					() -> new HandleContext(envelope, this.topics.of(envelope.topic()), receptor), this.registry)
			.observeChecked(handling);
	}

	/**
	 * Tells the current delivery's observation why it failed.
	 * @param failure why
	 */
	public void failed(Throwable failure) {
		Observation current = this.registry.getCurrentObservation();
		if (current != null) {
			current.error(failure);
		}
	}

	/**
	 * Starts to observe a message that leaves the application together with others.
	 * @param queue the queue
	 * @param envelope the message
	 * @param destination what takes it
	 * @return is told what became of it, and why it failed or {@code null}
	 */
	public BiConsumer<Outcome, @Nullable Throwable> startSend(Queue queue, Envelope envelope, String destination) {
		DeliverContext context = new DeliverContext(queue, envelope, this.topics.of(envelope.topic()), destination,
				Kind.PRODUCER);
		Observation observation = observation(context).start();
		return (outcome, failure) -> {
			context.outcome(outcome);
			if (failure != null) {
				observation.error(failure);
			}
			observation.stop();
		};
	}

	public boolean isNoop() {
		return this.registry.isNoop();
	}

	private Observation observation(DeliverContext context) {
		return WhizbangObservation.DELIVER.observation(this.deliverConvention, DeliverConvention.Default.INSTANCE,
				() -> context, this.registry);
	}

}
