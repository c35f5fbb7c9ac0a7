package io.whizbang.outbox;

import java.util.List;
import java.util.Set;

import io.whizbang.handler.TopicPatterns;
import io.whizbang.handler.TopicWatch;
import io.whizbang.handler.UnroutableTopics;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.transport.TransportStatus;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers claimed messages of the outbox to handlers and transports.
 */
public final class OutboxPublisher implements WorkHandler, RetryPolicies, TopicWatch {

	private static final Logger logger = LoggerFactory.getLogger(OutboxPublisher.class);

	private final Destinations destinations;

	private final OutboxSettings settings;

	private final TopicPatterns<RetryPolicy> retries;

	private final HandlerDelivery toHandlers;

	private final TransportDelivery toTransports;

	private final UnroutableTopics unroutable;

	/**
	 * Creates a publisher.
	 * @param destinations where messages go
	 * @param codec how payloads are read for handlers
	 * @param settings when to try again
	 * @param observations who observes
	 */
	public OutboxPublisher(Destinations destinations, MessageCodec codec, OutboxSettings settings,
			MessageObservations observations) {
		this.destinations = destinations;
		this.settings = settings;
		this.retries = new TopicPatterns<>(settings.topicRetries());
		this.toHandlers = new HandlerDelivery(codec, observations);
		this.toTransports = new TransportDelivery(this, settings.unreachableDelay(), observations);
		this.unroutable = new UnroutableTopics(settings.unroutableDelay(), System::nanoTime);
	}

	@Override
	public @Nullable Object batchKey(Work work) {
		// A message that failed before goes alone, so that one that makes its whole batch
		// fail
		// cannot take the others with it to the dead letters.
		return (work.attempts() == 0 && destination(work) instanceof Destination.ToTransport to) ? to.transport()
				: null;
	}

	@Override
	public List<Outcome> handle(List<Work> batch) {
		Work first = batch.get(0);
		Destination destination = destination(first);
		if (destination instanceof Destination.ToTransport to) {
			batch.forEach((work) -> this.unroutable.remove(work.envelope().topic()));
			return this.toTransports.deliver(to.transport(), batch);
		}
		return batch.stream().map(this::handle).toList();
	}

	private Outcome handle(Work work) {
		Destination destination = destination(work);
		if (destination instanceof Destination.Nowhere nowhere) {
			return postpone(work, nowhere);
		}
		this.unroutable.remove(work.envelope().topic());
		if (destination instanceof Destination.ToHandler to) {
			return this.toHandlers.deliver(to, work, of(work));
		}
		return this.toTransports.deliver(((Destination.ToTransport) destination).transport(), List.of(work)).get(0);
	}

	private Outcome postpone(Work work, Destination.Nowhere nowhere) {
		if (this.unroutable.add(work.envelope().topic())) {
			logger.warn("Messages wait: {}", nowhere.reason());
		}
		return new Outcome.Postpone(this.settings.unroutableDelay(), nowhere.reason());
	}

	/**
	 * Returns the retry policy of a message: what is configured for its topic, as its
	 * handler changes it.
	 */
	@Override
	public RetryPolicy of(Work work) {
		RetryPolicy ofTopic = this.retries.find(work.envelope().topic());
		RetryPolicy configured = (ofTopic != null) ? ofTopic : this.settings.retry();
		return (destination(work) instanceof Destination.ToHandler to) ? to.handler().retryPolicy(configured)
				: configured;
	}

	@Override
	public Queue queue() {
		return Queue.OUTBOX;
	}

	@Override
	public Set<String> unroutableTopics() {
		return this.unroutable.topics();
	}

	/**
	 * Returns whether the transports can be reached, as far as their last tries tell.
	 * @return one for each transport of the application
	 */
	public List<TransportStatus> transports() {
		return this.destinations.transports().stream().map(this::transport).toList();
	}

	/**
	 * Returns whether a transport can be reached, as far as its last try tells.
	 * @param name its name
	 * @return the status
	 */
	public TransportStatus transport(String name) {
		return this.toTransports.status(name);
	}

	private Destination destination(Work work) {
		return this.destinations.find(work.envelope().topic());
	}

}
