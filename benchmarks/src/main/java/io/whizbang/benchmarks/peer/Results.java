package io.whizbang.benchmarks.peer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.whizbang.benchmarks.Measurements;

/**
 * What was measured: by work, figure and contender, a value for each round.
 */
final class Results {

	private final Measurements measurements = new Measurements();

	private final Map<String, Map<String, Set<String>>> names = new LinkedHashMap<>();

	private final Map<String, Map<String, Object>> contenders = new LinkedHashMap<>();

	private final List<String> troubles = new ArrayList<>();

	void add(String work, String contender, Answer answer) {
		answer.figures().forEach((figure, value) -> add(work, figure, contender, value));
	}

	void add(String work, String figure, String contender, double value) {
		this.names.computeIfAbsent(work, (key) -> new LinkedHashMap<>())
			.computeIfAbsent(figure, (key) -> new LinkedHashSet<>())
			.add(contender);
		this.measurements.add(name(work, figure, contender), value);
	}

	void introduce(String label, PeerHandle contender) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("version", contender.version());
		description.put("settings", contender.settings());
		description.put("promises order", contender.keepsOrder());
		this.contenders.putIfAbsent(label, description);
	}

	void trouble(String work, Exception failure) {
		String what = work + ": " + failure;
		System.out.println("  ! " + what);
		this.troubles.add(what);
	}

	private static String name(String work, String figure, String contender) {
		return work + " | " + figure + " | " + contender;
	}

	Set<String> works() {
		return this.names.keySet();
	}

	Set<String> figures(String work) {
		return this.names.getOrDefault(work, Map.of()).keySet();
	}

	Set<String> contenders(String work, String figure) {
		return this.names.getOrDefault(work, Map.of()).getOrDefault(figure, Set.of());
	}

	boolean has(String work, String figure, String contender) {
		return this.measurements.has(name(work, figure, contender));
	}

	double median(String work, String figure, String contender) {
		return has(work, figure, contender) ? this.measurements.median(name(work, figure, contender)) : Double.NaN;
	}

	double lowest(String work, String figure, String contender) {
		return this.measurements.lowest(name(work, figure, contender));
	}

	double highest(String work, String figure, String contender) {
		return this.measurements.highest(name(work, figure, contender));
	}

	/** The median of the rounds' ratios, or not a number when one side is missing. */
	double ratio(String work, String figure, String contender, String to) {
		if (!has(work, figure, contender) || !has(work, figure, to)) {
			return Double.NaN;
		}
		return this.measurements.ratio(name(work, figure, contender), name(work, figure, to));
	}

	Map<String, List<Double>> rounds() {
		return this.measurements.figures();
	}

	List<Double> rounds(String work, String figure, String contender) {
		return this.measurements.figures().getOrDefault(name(work, figure, contender), List.of());
	}

	Map<String, Map<String, Object>> introductions() {
		return this.contenders;
	}

	List<String> troubles() {
		return this.troubles;
	}

}
