package io.whizbang.perspective;

import java.util.Comparator;

/**
 * A moment in the life of the events: what was visible then.
 *
 * @param snapshot PostgreSQL's snapshot as text, {@code xmin:xmax:open transactions}
 * @param low last position drawn before the snapshot was taken
 * @param high last position drawn after it was taken
 * @param restored everything up to this position is visible, because it came from another
 * server
 */
record Tick(String snapshot, long low, long high, long restored) implements Comparable<Tick> {

	/** Before anything was visible. */
	static final Tick START = new Tick("1:1:", 0, 0, 0);

	/**
	 * Every tick takes a transaction id of its own, so a later one has a higher xmax. The
	 * rest is only there to make equal what is equal.
	 */
	private static final Comparator<Tick> ORDER = Comparator.comparingLong(Tick::restored)
		.thenComparing(Tick::xmax, Long::compareUnsigned)
		.thenComparing(Comparator.comparingInt(Tick::open).reversed())
		.thenComparingLong(Tick::low)
		.thenComparingLong(Tick::high);

	private long xmax() {
		return Long.parseUnsignedLong(this.snapshot.split(":", -1)[1]);
	}

	private int open() {
		String open = this.snapshot.substring(this.snapshot.lastIndexOf(':') + 1);
		return open.isEmpty() ? 0 : open.split(",", -1).length;
	}

	@Override
	public int compareTo(Tick other) {
		return ORDER.compare(this, other);
	}

}
