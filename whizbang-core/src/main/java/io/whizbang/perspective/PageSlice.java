package io.whizbang.perspective;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.whizbang.event.RawEvent;
import io.whizbang.event.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * The part of a page that one transaction applies.
 */
final class PageSlice {

	private final OpenPage page;

	private final Projection projection;

	private final PerspectiveRun run;

	private final CompletionStrategy completion;

	private final Map<UUID, Progress> streams = new HashMap<>();

	private final List<StoredEvent> gathered = new ArrayList<>();

	private @Nullable FeedEvent last;

	private int applied;

	private int index;

	PageSlice(OpenPage page, Projection projection, PerspectiveRun run, CompletionStrategy completion) {
		this.page = page;
		this.projection = projection;
		this.run = run;
		this.completion = completion;
		this.index = page.next();
	}

	/**
	 * Applies events, in the current transaction.
	 * @param limit how many at most
	 * @param streamLimit how many of one stream at most
	 * @param first what comes before the first of them, if there is one
	 * @throws Exception when that fails and it is not known which event is to blame
	 */
	void apply(int limit, int streamLimit, Runnable first) throws Exception {
		boolean ends = false;
		while (!ends && this.index < this.page.count()) {
			FeedEvent event = this.page.event(this.index);
			Progress progress = progress(event);
			if (progress != null) {
				boolean wanted = this.projection.interests().wants(event);
				if (wanted && (this.applied == limit || progress.applied == streamLimit)) {
					break;
				}
				progress.require(event, this.run);
				if (wanted) {
					if (this.applied == 0) {
						first.run();
					}
					ends = apply(event, progress);
				}
				progress.moved(event);
			}
			this.index++;
		}
		if (!this.gathered.isEmpty()) {
			this.projection.handler().applyAll(this.gathered, this.run);
		}
	}

	private boolean apply(FeedEvent event, Progress progress) {
		this.last = event;
		this.applied++;
		progress.applied++;
		try {
			StoredEvent stored = this.projection.decode(event);
			if (this.projection.isTogether()) {
				this.gathered.add(stored);
			}
			else {
				this.projection.handler().apply(stored, this.run);
			}
			return this.completion.endsAfter(stored, this.applied);
		}
		catch (Throwable ex) {
			throw new EventFailedException(event, progress.start, ex);
		}
	}

	/** Nothing when the event is passed over. */
	private @Nullable Progress progress(FeedEvent event) {
		UUID stream = event.event().streamId();
		Progress known = this.streams.get(stream);
		if (known != null) {
			return known;
		}
		StreamMark mark = this.page.mark(stream);
		if (mark != null && !mark.follows() || mark == null && !this.projection.interests().wants(event)) {
			return null;
		}
		if (mark == null && this.page.hasMissed(stream)) {
			// From the first event on: nothing of the stream is in the model.
			throw new EventFailedException(event, 0,
					PerspectiveOrderException.missed(this.run, name(event), event.event().version()));
		}
		Progress progress = new Progress(mark, event);
		this.streams.put(stream, progress);
		return progress;
	}

	/** How many events were applied. */
	int applied() {
		return this.applied;
	}

	/** How many events are done with, applied or not. */
	int done() {
		return this.index - this.page.next();
	}

	int index() {
		return this.index;
	}

	/** Blames the only event that was applied; nothing when there were others. */
	@Nullable EventFailedException blame(Throwable failure) {
		FeedEvent only = this.last;
		if (only == null || this.applied != 1) {
			return null;
		}
		Progress progress = this.streams.get(only.event().streamId());
		return (progress != null) ? new EventFailedException(only, progress.start, failure) : null;
	}

	List<StreamMove> moves() {
		return this.streams.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().last != null)
			.map((entry) -> entry.getValue().move(entry.getKey()))
			.sorted(Comparator.comparing(StreamMove::stream))
			.toList();
	}

	private static String name(FeedEvent event) {
		String key = event.event().streamKey();
		return (key != null) ? key : event.event().streamId().toString();
	}

	/** How far one stream gets in the slice. */
	private static final class Progress {

		private final @Nullable Long found;

		private final long start;

		private long version;

		private int applied;

		private @Nullable RawEvent last;

		Progress(@Nullable StreamMark mark, FeedEvent first) {
			this.found = (mark != null) ? mark.version() : null;
			this.start = (mark != null) ? mark.version() : first.event().version() - 1;
			this.version = this.start;
		}

		void require(FeedEvent event, PerspectiveRun run) {
			if (event.event().version() != this.version + 1) {
				throw new EventFailedException(event, this.start,
						PerspectiveOrderException.of(run, name(event), this.version, event.event().version()));
			}
		}

		void moved(FeedEvent event) {
			this.version = event.event().version();
			this.last = event.event();
		}

		StreamMove move(UUID stream) {
			RawEvent last = this.last;
			if (last == null) {
				throw new IllegalStateException("The stream has not moved");
			}
			return new StreamMove(stream, this.found, this.version, last.position(), last.id());
		}

	}

}
