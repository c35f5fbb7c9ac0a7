package io.whizbang.event;

import java.util.List;

/**
 * A page of events.
 *
 * @param events the events
 * @param seen how many there were for it; those that made it too large were left out
 */
record EventPage(List<RawEvent> events, int seen) {

	/** Whether there may be another page behind one that was asked for with a limit. */
	boolean mayHaveNext(int limit) {
		return this.seen == limit || this.events.size() < this.seen;
	}

}
