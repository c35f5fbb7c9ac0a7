package io.whizbang.letter;

import java.util.Set;

/**
 * What became of the letters that somebody decided about.
 *
 * @param count how many were replayed or discarded
 * @param absent numbers of letters that nobody has: replayed or discarded before, or
 * never there
 * @param raw numbers of letters that cannot be replayed, because they were never messages
 */
public record Decision(int count, Set<Long> absent, Set<Long> raw) {

	public Decision {
		absent = Set.copyOf(absent);
		raw = Set.copyOf(raw);
	}

}
