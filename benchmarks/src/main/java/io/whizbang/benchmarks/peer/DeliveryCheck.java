package io.whizbang.benchmarks.peer;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;

/**
 * What became of the messages: whether some were lost, repeated or, at their first
 * delivery, overtaken by a later one of their stream, and how long they took.
 *
 * @param lost how many were not delivered
 * @param repeated how many deliveries were not the first of their message
 * @param reordered how many first deliveries came after a later message of their stream
 * @param latencies milliseconds from the producer's commit to the delivery, ascending
 */
record DeliveryCheck(long lost, long repeated, long reordered, double[] latencies) {

	private static final Comparator<long[]> BY_KEY = Comparator.comparingLong((entry) -> entry[0]);

	/**
	 * Compares.
	 * @param committed every message and when the producer saw its commit
	 * @param delivered every delivery and when it began
	 * @return what the comparison showed
	 */
	static DeliveryCheck of(MessageLog committed, MessageLog delivered) {
		long[][] expected = committed.entries();
		Arrays.sort(expected, BY_KEY);
		long[][] seen = delivered.entries();
		Arrays.sort(seen, (one, other) -> Long.compare(one[1] - other[1], 0));
		int streams = (expected.length > 0) ? MessageLog.stream(expected[expected.length - 1][0]) + 1 : 0;
		int[] last = new int[streams];
		Arrays.fill(last, -1);
		BitSet found = new BitSet(expected.length);
		long repeated = 0;
		long reordered = 0;
		double[] latencies = new double[Math.min(seen.length, expected.length)];
		int first = 0;
		for (long[] delivery : seen) {
			int index = Arrays.binarySearch(expected, delivery, BY_KEY);
			if (index < 0 || found.get(index)) {
				repeated++;
				continue;
			}
			found.set(index);
			latencies[first++] = Math.max(0, delivery[1] - expected[index][1]) / 1e6;
			int stream = MessageLog.stream(delivery[0]);
			int place = MessageLog.place(delivery[0]);
			if (place < last[stream]) {
				reordered++;
			}
			last[stream] = Math.max(last[stream], place);
		}
		latencies = Arrays.copyOf(latencies, first);
		Arrays.sort(latencies);
		return new DeliveryCheck(expected.length - first, repeated, reordered, latencies);
	}

	double latency(double percentile) {
		if (this.latencies.length == 0) {
			return Double.NaN;
		}
		return this.latencies[(int) Math.min(this.latencies.length - 1L, (long) (this.latencies.length * percentile))];
	}

}
