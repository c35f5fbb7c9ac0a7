package io.whizbang.observation;

import java.util.Map;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.whizbang.message.Envelope;

/**
 * A message that a receptor is handling. Tracing finds the trace it came with among its
 * headers.
 */
public final class HandleContext extends ReceiverContext<Map<String, String>> {

	private final Envelope envelope;

	private final String topicTag;

	private final String receptor;

	HandleContext(Envelope envelope, String topicTag, String receptor) {
		super(Map::get, Kind.CONSUMER);
		this.envelope = envelope;
		this.topicTag = topicTag;
		this.receptor = receptor;
		setCarrier(envelope.headers());
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
	 * Returns who handles the message.
	 * @return the receptor's name
	 */
	public String receptor() {
		return this.receptor;
	}

}
