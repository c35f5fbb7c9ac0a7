package io.whizbang.observation;

import java.util.Map;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.whizbang.message.Envelope;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A message that is being delivered. Tracing finds the trace it was enqueued in among its
 * headers.
 */
public final class DeliverContext extends ReceiverContext<Map<String, String>> {

	private final Queue queue;

	private final Envelope envelope;

	private final String topicTag;

	private final String destination;

	private @Nullable Outcome outcome;

	DeliverContext(Queue queue, Envelope envelope, String topicTag, String destination, Kind kind) {
		super(Map::get, kind);
		this.queue = queue;
		this.envelope = envelope;
		this.topicTag = topicTag;
		this.destination = destination;
		setCarrier(envelope.headers());
	}

	public Queue queue() {
		return this.queue;
	}

	public Envelope envelope() {
		return this.envelope;
	}

	/**
	 * Returns the value for a tag: the topic, unless there were too many of them before.
	 * @return the topic, or "other"
	 */
	public String topicTag() {
		return this.topicTag;
	}

	/**
	 * Returns where the message goes.
	 * @return name of a transport, or "handlers"
	 */
	public String destination() {
		return this.destination;
	}

	/**
	 * Returns what became of the delivery.
	 * @return the outcome, or {@code null} while it lasts
	 */
	public @Nullable Outcome outcome() {
		return this.outcome;
	}

	void outcome(Outcome outcome) {
		this.outcome = outcome;
	}

}
