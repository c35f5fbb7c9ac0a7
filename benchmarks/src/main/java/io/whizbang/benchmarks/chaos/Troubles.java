package io.whizbang.benchmarks.chaos;

import java.util.Map;
import java.util.TreeMap;

/**
 * Broken promises, counted, the first few of each kind told as they are found.
 */
final class Troubles {

	private static final int TOLD = 10;

	private final Map<String, Integer> counts = new TreeMap<>();

	private final Map<String, Integer> seen = new TreeMap<>();

	synchronized void add(String kind, String what) {
		if (this.counts.merge(kind, 1, Integer::sum) <= TOLD) {
			System.out.println("VIOLATION " + kind + ": " + what);
		}
	}

	/** Counts what may happen, and should in a storm. */
	synchronized void seen(String what) {
		this.seen.merge(what, 1, Integer::sum);
	}

	synchronized boolean isEmpty() {
		return this.counts.isEmpty();
	}

	@Override
	public synchronized String toString() {
		String told = this.counts.isEmpty() ? "no violation" : "violations " + this.counts;
		return this.seen.isEmpty() ? told : told + ", seen " + this.seen;
	}

}
