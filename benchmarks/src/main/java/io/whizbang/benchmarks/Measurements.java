package io.whizbang.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Figures of several rounds, by name.
 */
public final class Measurements {

	private final Map<String, List<Double>> figures = new LinkedHashMap<>();

	public void add(String name, double figure) {
		this.figures.computeIfAbsent(name, (key) -> new ArrayList<>()).add(figure);
	}

	public boolean has(String name) {
		return this.figures.containsKey(name);
	}

	public double median(String name) {
		List<Double> sorted = rounds(name).stream().sorted().toList();
		int middle = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
	}

	/**
	 * The median of the rounds' ratios: both sides of each were measured right after each
	 * other.
	 */
	public double ratio(String name, String to) {
		List<Double> above = rounds(name);
		List<Double> below = rounds(to);
		Measurements ratios = new Measurements();
		for (int i = 0; i < Math.min(above.size(), below.size()); i++) {
			ratios.add("ratio", above.get(i) / below.get(i));
		}
		return ratios.median("ratio");
	}

	public double lowest(String name) {
		return rounds(name).stream().mapToDouble(Double::doubleValue).min().orElseThrow();
	}

	public double highest(String name) {
		return rounds(name).stream().mapToDouble(Double::doubleValue).max().orElseThrow();
	}

	private List<Double> rounds(String name) {
		return this.figures.getOrDefault(name, List.of());
	}

	public Map<String, List<Double>> figures() {
		return this.figures;
	}

	public void print() {
		System.out.printf("%n%-58s %12s %12s %12s%n", "figure", "median", "lowest", "highest");
		this.figures.forEach((name, values) -> System.out.printf("%-58s %12.2f %12.2f %12.2f%n", name, median(name),
				lowest(name), highest(name)));
	}

}
