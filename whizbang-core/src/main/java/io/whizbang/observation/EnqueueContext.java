package io.whizbang.observation;

import java.util.HashMap;
import java.util.Map;

import io.micrometer.observation.transport.SenderContext;
import io.whizbang.work.Queue;

/**
 * Messages that are being enqueued. Whatever tracing puts into the carrier becomes
 * headers of all of them.
 */
public final class EnqueueContext extends SenderContext<Map<String, String>> {

	private final Queue queue;

	private final String topic;

	private final String topicTag;

	private final int count;

	private final Map<String, String> headers = new HashMap<>();

	EnqueueContext(Queue queue, String topic, String topicTag, int count) {
		super((carrier, key, value) -> {
			if (carrier != null) {
				carrier.put(key, value);
			}
		});
		this.queue = queue;
		this.topic = topic;
		this.topicTag = topicTag;
		this.count = count;
		setCarrier(this.headers);
	}

	public Queue queue() {
		return this.queue;
	}

	/**
	 * Returns the topic of the first message.
	 * @return the topic
	 */
	public String topic() {
		return this.topic;
	}

	/**
	 * Returns the value for a tag: the topic, unless there were too many of them before.
	 * @return the topic, or "other"
	 */
	public String topicTag() {
		return this.topicTag;
	}

	public int count() {
		return this.count;
	}

	/**
	 * Returns what tracing wants the messages to carry.
	 * @return the headers
	 */
	Map<String, String> headers() {
		return this.headers;
	}

}
