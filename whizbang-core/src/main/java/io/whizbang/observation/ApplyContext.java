package io.whizbang.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Events that a perspective applies in one transaction. They may come from many traces,
 * so that they have one of their own.
 */
public final class ApplyContext extends Observation.Context {

	private final String perspective;

	private final @Nullable String stream;

	private int count;

	ApplyContext(String perspective, @Nullable String stream) {
		this.perspective = perspective;
		this.stream = stream;
	}

	/**
	 * Returns who applies the events.
	 * @return the perspective's name
	 */
	public String perspective() {
		return this.perspective;
	}

	/**
	 * Returns the key of a stream that goes by itself, after a failure or for a replay.
	 * @return the key, or {@code null} for a page of what is new
	 */
	public @Nullable String stream() {
		return this.stream;
	}

	/**
	 * Returns how many events were applied.
	 * @return the number, 0 while that is not known
	 */
	public int count() {
		return this.count;
	}

	void count(int count) {
		this.count = count;
	}

}
