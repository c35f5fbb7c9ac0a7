package io.whizbang.queue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.whizbang.test.Await;
import org.jspecify.annotations.Nullable;

/**
 * What must be true of one key, seen from outside: who has it, and what comes next. Its
 * messages are numbered in the order of their commits, beginning with 1.
 */
final class StormKey {

	private final String name;

	private final Duration lock;

	/** Held while messages are enqueued: numbers follow commits only one by one. */
	final Object sending = new Object();

	private volatile @Nullable Holder holder;

	private int sent;

	StormKey(String name, Duration lock) {
		this.name = name;
		this.lock = lock;
	}

	int sent() {
		return this.sent;
	}

	/** To be called while nobody else enqueues. */
	void sent(int count) {
		this.sent += count;
	}

	/** Returns the last number that was acknowledged. */
	int acknowledged() throws Exception {
		Holder last = this.holder;
		return (last != null) ? last.next() - 1 : 0;
	}

	boolean isWith(Holder one) {
		return this.holder == one;
	}

	/**
	 * Notes that a batch was handed out.
	 * @param numbers what it brings
	 * @param asked when it was asked for: its lock lasts until later than then
	 * @return the holder, or {@code null} when this comes too late to say anything
	 */
	synchronized @Nullable Holder taken(List<Integer> numbers, long asked) throws Exception {
		long now = System.nanoTime();
		if (now - asked >= this.lock.toNanos()) {
			return null;
		}
		Holder before = this.holder;
		if (before != null && !before.ending && now - before.asked < this.lock.toNanos()) {
			throw new AssertionError(
					"%s was handed out with %s while its holder had %s".formatted(this.name, numbers, before.numbers));
		}
		Holder next = new Holder(numbers, asked);
		this.holder = next;
		int expected = (before != null) ? before.next() : 1;
		List<Integer> inOrder = IntStream.range(expected, expected + numbers.size()).boxed().toList();
		if (!numbers.equals(inOrder)) {
			throw new AssertionError("%s came with %s, not with %s".formatted(this.name, numbers, inOrder));
		}
		return next;
	}

	/**
	 * Ends a batch; says whether that was accepted.
	 * @param mine the holder
	 * @param done whether its messages are done when it is
	 * @param end ends it
	 */
	boolean end(Holder mine, boolean done, Runnable end) {
		mine.ending = true;
		boolean takenOver = !isWith(mine);
		try {
			end.run();
		}
		catch (QueueLockLostException ex) {
			mine.ended.complete(false);
			if (System.nanoTime() - mine.asked < this.lock.toNanos()) {
				throw new AssertionError(this.name + " was lost in time", ex);
			}
			return false;
		}
		catch (RuntimeException | Error ex) {
			mine.ended.completeExceptionally(ex);
			throw ex;
		}
		mine.ended.complete(done);
		if (takenOver) {
			throw new AssertionError("%s with %s was ended by one that had lost it".formatted(this.name, mine.numbers));
		}
		return true;
	}

	@Override
	public String toString() {
		return this.name;
	}

	/** One who was handed a batch. */
	static final class Holder {

		private final List<Integer> numbers;

		private final long asked;

		/** Completed with whether the messages are done. */
		private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

		/** Set before the end is told: from then on the next one may have the key. */
		private volatile boolean ending;

		private Holder(List<Integer> numbers, long asked) {
			this.numbers = numbers;
			this.asked = asked;
		}

		/** Returns the number that must come after this holder. */
		private int next() throws Exception {
			int first = this.numbers.get(0);
			boolean done = this.ending && this.ended.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
			return done ? first + this.numbers.size() : first;
		}

	}

}
