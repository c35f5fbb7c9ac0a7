package io.whizbang.benchmarks.peer;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is asked for.
 *
 * @param parts what to measure
 * @param contenders who takes part
 * @param scale how much
 */
record PeerArguments(Set<Part> parts, List<Peers> contenders, Scale scale) {

	static PeerArguments parse(String[] arguments) {
		Set<Part> parts = EnumSet.noneOf(Part.class);
		List<Peers> contenders = List.of(Peers.values());
		Map<String, Integer> chosen = new HashMap<>();
		boolean quick = false;
		for (String argument : arguments) {
			String[] words = argument.split("=", 2);
			if (argument.equals("quick")) {
				quick = true;
			}
			else if (words.length == 1) {
				parts.add(Part.of(argument));
			}
			else if (words[0].equals("contenders")) {
				contenders = Arrays.stream(words[1].replace('_', ' ').split(",", -1)).map(Peers::of).toList();
			}
			else {
				chosen.put(words[0], Integer.valueOf(words[1]));
			}
		}
		return new PeerArguments(parts.isEmpty() ? EnumSet.allOf(Part.class) : parts, contenders,
				Scale.of(quick, chosen));
	}

}
