package io.whizbang.autoconfigure.endpoint;

import java.util.Set;
import java.util.TreeSet;

import io.whizbang.letter.Decision;

/**
 * What became of letters, as JSON.
 *
 * @param action what was done
 * @param count to how many letters
 * @param absent numbers of letters that nobody has
 * @param raw numbers of letters that never were messages
 */
record DecisionBody(String action, long count, Set<Long> absent, Set<Long> raw) {

	static DecisionBody of(String action, Decision decision) {
		return new DecisionBody(action, decision.count(), new TreeSet<>(decision.absent()),
				new TreeSet<>(decision.raw()));
	}

	static DecisionBody of(String action, long count) {
		return new DecisionBody(action, count, Set.of(), Set.of());
	}

}
