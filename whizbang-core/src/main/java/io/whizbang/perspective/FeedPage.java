package io.whizbang.perspective;

import java.util.List;

/**
 * A page of the feed.
 *
 * @param events the events, in order
 * @param seen how many there were for it; those that made it too large were left out
 * @param rangeEnd up to which position there is nothing else, when none were left out
 */
record FeedPage(List<FeedEvent> events, int seen, long rangeEnd) {

	/** The position behind which the next page begins. */
	long end(int limit) {
		return isCut(limit) ? this.events.get(this.events.size() - 1).event().position() : this.rangeEnd;
	}

	boolean isCut(int limit) {
		return this.seen >= limit || this.events.size() < this.seen;
	}

}
