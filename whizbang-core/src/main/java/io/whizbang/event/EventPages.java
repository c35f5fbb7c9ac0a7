package io.whizbang.event;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

/**
 * Events, page after page, each fetched when it is needed.
 */
final class EventPages implements Iterator<StoredEvent> {

	private final Fetch fetch;

	private final Function<RawEvent, StoredEvent> decoder;

	private final int pageSize;

	private final Queue<RawEvent> fetched = new ArrayDeque<>();

	private @Nullable RawEvent last;

	private long left;

	private boolean ended;

	private EventPages(Fetch fetch, Function<RawEvent, StoredEvent> decoder, int pageSize, long limit) {
		this.fetch = fetch;
		this.decoder = decoder;
		this.pageSize = pageSize;
		this.left = limit;
	}

	/**
	 * Returns events as a stream, which holds nothing but the page that it is in.
	 * @param fetch fetches a page
	 * @param decoder reads an event
	 * @param pageSize how many events a page has
	 * @param limit how many events at most
	 * @return the events
	 */
	static Stream<StoredEvent> stream(Fetch fetch, Function<RawEvent, StoredEvent> decoder, int pageSize, long limit) {
		EventPages pages = new EventPages(fetch, decoder, pageSize, limit);
		return StreamSupport
			.stream(Spliterators.spliteratorUnknownSize(pages, Spliterator.ORDERED | Spliterator.NONNULL), false)
			.onClose(pages::close);
	}

	@Override
	public boolean hasNext() {
		if (this.fetched.isEmpty() && !this.ended && this.left > 0) {
			fetchNext();
		}
		return !this.fetched.isEmpty();
	}

	@Override
	public StoredEvent next() {
		if (!hasNext()) {
			throw new NoSuchElementException();
		}
		return this.decoder.apply(this.fetched.remove());
	}

	private void fetchNext() {
		int limit = (int) Math.min(this.pageSize, this.left);
		EventPage page = this.fetch.after(this.last, limit);
		this.ended = !page.mayHaveNext(limit);
		this.left -= page.events().size();
		for (RawEvent event : page.events()) {
			this.fetched.add(event);
			this.last = event;
		}
	}

	private void close() {
		this.ended = true;
		this.fetched.clear();
	}

	/** Fetches a page. */
	@FunctionalInterface
	interface Fetch {

		EventPage after(@Nullable RawEvent last, int limit);

	}

}
