package io.whizbang.coordinator;

import java.util.List;
import java.util.function.Supplier;

import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a claim. Large ones are not part of the answer to the exchange: they
 * are read when they are asked for, so that a pump can go on meanwhile.
 */
public final class ClaimedWork {

	/** Nothing. */
	public static final ClaimedWork NONE = of(List.of());

	private final int count;

	private final Supplier<List<Work>> reader;

	private @Nullable List<Work> work;

	private ClaimedWork(int count, @Nullable List<Work> work, Supplier<List<Work>> reader) {
		this.count = count;
		this.work = work;
		this.reader = reader;
	}

	public static ClaimedWork of(List<Work> work) {
		return new ClaimedWork(work.size(), List.copyOf(work), List::of);
	}

	/**
	 * Returns work that is read later.
	 * @param count how many messages were claimed
	 * @param reader reads them
	 * @return the work
	 */
	public static ClaimedWork later(int count, Supplier<List<Work>> reader) {
		return new ClaimedWork(count, null, reader);
	}

	/**
	 * Returns how many messages were claimed.
	 * @return the number
	 */
	public int count() {
		return this.count;
	}

	public boolean isRead() {
		return this.work != null;
	}

	/**
	 * Returns the messages in queue order, and reads them if need be. Those of a claim
	 * that was lost meanwhile are missing.
	 * @return the messages
	 */
	public List<Work> read() {
		List<Work> known = this.work;
		if (known == null) {
			known = List.copyOf(this.reader.get());
			this.work = known;
		}
		return known;
	}

}
