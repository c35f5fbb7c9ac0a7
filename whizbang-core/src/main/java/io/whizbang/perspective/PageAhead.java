package io.whizbang.perspective;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The page behind the one that is being applied, read meanwhile on another thread. What
 * that one moves is kept, because the read may have missed it.
 */
final class PageAhead {

	private final ShardGroup group;

	private final Supplier<FeedPage> read;

	private final AtomicBoolean taken = new AtomicBoolean();

	private final CompletableFuture<@Nullable FeedPage> result = new CompletableFuture<>();

	private final Map<UUID, StreamMark> moved = new HashMap<>();

	private PageAhead(ShardGroup group, Supplier<FeedPage> read) {
		this.group = group;
		this.read = read;
	}

	/**
	 * Begins to read, if a thread can be had.
	 * @param group which shards, at the place where they will be
	 * @param read reads the page
	 * @param executor has the thread
	 * @return the page to be
	 */
	static PageAhead begin(ShardGroup group, Supplier<FeedPage> read, Executor executor) {
		PageAhead ahead = new PageAhead(group, read);
		try {
			executor.execute(ahead::run);
		}
		catch (RejectedExecutionException ex) {
			ahead.taken.set(true);
			ahead.result.complete(null);
		}
		return ahead;
	}

	private void run() {
		if (this.taken.compareAndSet(false, true)) {
			try {
				this.result.complete(this.read.get());
			}
			catch (Throwable ex) {
				// Read again by whoever needs it, and fails there if it has to.
				this.result.complete(null);
			}
		}
	}

	/** Whether these are the shards, where they were expected to be. */
	boolean isFor(ShardGroup other) {
		return this.group.place().equals(other.place()) && Arrays.equals(this.group.numbers(), other.numbers());
	}

	/** Notes what was committed since the read began. */
	void moved(Iterable<StreamMove> moves) {
		for (StreamMove move : moves) {
			this.moved.put(move.stream(), new StreamMark(move.version(), true));
		}
	}

	/** Where streams stand that the read may have seen where they were before. */
	Map<UUID, StreamMark> moved() {
		return this.moved;
	}

	/**
	 * Waits for the page.
	 * @return the page, or {@code null} when it was not read or could not be
	 */
	@Nullable FeedPage take() {
		if (this.taken.compareAndSet(false, true)) {
			// No thread has come to it yet: the one that asks is as good.
			return null;
		}
		return this.result.join();
	}

	/** Nobody needs it; nothing of it goes on afterwards. */
	void discard() {
		take();
	}

}
