package io.whizbang.handler;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Topics whose messages wait because nobody takes them.
 */
public final class UnroutableTopics {

	private static final int MAX_TOPICS = 100;

	private final Map<String, Long> lastSeen = new ConcurrentHashMap<>();

	private final long forgetAfter;

	private final LongSupplier nanoTime;

	/**
	 * Creates an empty list.
	 * @param delay how long a message waits that nobody takes
	 * @param nanoTime what time it is here
	 */
	public UnroutableTopics(Duration delay, LongSupplier nanoTime) {
		// A waiting message comes by once per delay, so a topic that was silent for three
		// has
		// nothing waiting any more, at least not here.
		this.forgetAfter = delay.multipliedBy(3).toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Remembers a topic.
	 * @param topic the topic
	 * @return whether it was not known to be unroutable
	 */
	public boolean add(String topic) {
		forgetOld();
		if (this.lastSeen.size() >= MAX_TOPICS && !this.lastSeen.containsKey(topic)) {
			return false;
		}
		return this.lastSeen.put(topic, this.nanoTime.getAsLong()) == null;
	}

	public void remove(String topic) {
		if (!this.lastSeen.isEmpty()) {
			this.lastSeen.remove(topic);
		}
	}

	public Set<String> topics() {
		forgetOld();
		return new TreeSet<>(this.lastSeen.keySet());
	}

	private void forgetOld() {
		long now = this.nanoTime.getAsLong();
		this.lastSeen.values().removeIf((seen) -> now - seen > this.forgetAfter);
	}

}
