package io.whizbang.benchmarks.peer;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.sun.management.OperatingSystemMXBean;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells what was measured: as a table, as JSON and as plots.
 */
final class PeerReport {

	private final Results results;

	private final Arena arena;

	private final PeerArguments arguments;

	PeerReport(Results results, Arena arena, PeerArguments arguments) {
		this.results = results;
		this.arena = arena;
		this.arguments = arguments;
	}

	void write(Path json, Path directory) throws IOException {
		table();
		printTroubles();
		goals();
		Files.writeString(json,
				JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(document()));
		System.out.println("\nAll figures: " + json.toAbsolutePath().normalize());
		for (Path plot : plots(directory)) {
			System.out.println("Plot: " + plot.toAbsolutePath().normalize());
		}
	}

	private void table() {
		this.results.introductions()
			.forEach((name, told) -> System.out.printf("%n%s %s: %s", name, told.get("version"), told.get("settings")));
		System.out.println();
		for (String work : this.results.works()) {
			System.out.printf("%n%s%n%-26s", work, "");
			List<String> figures = List.copyOf(this.results.figures(work));
			figures.forEach((figure) -> System.out.printf(" %" + width(figure) + "s", figure));
			System.out.println();
			for (String contender : contenders(work)) {
				System.out.printf("%-26s", contender);
				figures
					.forEach((figure) -> System.out.printf(" %" + width(figure) + "s", cell(work, figure, contender)));
				System.out.println();
			}
		}
	}

	private static int width(String figure) {
		return Math.max(22, figure.length());
	}

	private String cell(String work, String figure, String contender) {
		if (!this.results.has(work, figure, contender)) {
			return "-";
		}
		String median = number(this.results.median(work, figure, contender));
		if (this.results.rounds(work, figure, contender).size() == 1) {
			return median;
		}
		return "%s (%s-%s)".formatted(median, number(this.results.lowest(work, figure, contender)),
				number(this.results.highest(work, figure, contender)));
	}

	private static String number(double figure) {
		return (Math.abs(figure) >= 100) ? "%.0f".formatted(figure) : "%.2f".formatted(figure);
	}

	private List<String> contenders(String work) {
		return this.results.figures(work)
			.stream()
			.flatMap((figure) -> this.results.contenders(work, figure).stream())
			.distinct()
			.toList();
	}

	/** Tells who has lost, repeated or reordered messages in its worst round. */
	private void printTroubles() {
		List<String> promising = this.results.introductions()
			.entrySet()
			.stream()
			.filter((told) -> Boolean.TRUE.equals(told.getValue().get("promises order")))
			.map(Map.Entry::getKey)
			.toList();
		System.out.println("\nworst rounds; order is promised by " + promising);
		troubles().forEach((what) -> System.out.println("  " + what));
	}

	private List<String> troubles() {
		List<String> troubles = new ArrayList<>(this.results.troubles());
		for (String work : this.results.works()) {
			for (String contender : contenders(work)) {
				double unfinished = highest(work, Figures.UNFINISHED, contender);
				if (unfinished > 0) {
					troubles.add("%s, %s: cut off before all was delivered".formatted(work, contender));
				}
				for (String figure : List.of(Figures.LOST, Figures.REPEATED, Figures.REORDERED)) {
					double count = highest(work, figure, contender);
					if (count > 0 && !(figure.equals(Figures.LOST) && unfinished > 0)) {
						troubles.add("%s, %s: %.0f %s".formatted(work, contender, count, figure));
					}
				}
			}
		}
		return troubles;
	}

	private double highest(String work, String figure, String contender) {
		return this.results.has(work, figure, contender) ? this.results.highest(work, figure, contender) : 0;
	}

	private void goals() {
		List<Goal> goals = Goal.of(this.results, this.arguments.scale());
		System.out.printf("%n%-80s %10s %10s%n", "goal", "limit", "measured");
		goals.forEach((goal) -> System.out.printf("%-80s %2s %7s %10s %s%n", goal.work(), goal.atMost() ? "<=" : ">=",
				number(goal.limit()), number(goal.measured()), goal.isReached() ? "yes" : "NO"));
	}

	private Map<String, Object> document() {
		Map<String, Object> document = new LinkedHashMap<>();
		document.put("date", this.arena.date());
		document.put("machine", machine());
		document.put("server", this.arena.settings());
		document.put("scale", this.arguments.scale());
		document.put("contenders", this.results.introductions());
		document.put("figures", figures());
		document.put("goals",
				Goal.of(this.results, this.arguments.scale())
					.stream()
					.map((goal) -> Map.of("work", goal.work(), goal.atMost() ? "at most" : "at least", goal.limit(),
							"measured", goal.measured(), "reached", goal.isReached()))
					.toList());
		document.put("troubles", troubles());
		return document;
	}

	private Map<String, Object> machine() {
		Map<String, Object> machine = new LinkedHashMap<>();
		machine.put("processors", Runtime.getRuntime().availableProcessors());
		if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
			machine.put("memory GB", system.getTotalMemorySize() >> 30);
		}
		machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
		machine.put("java", Runtime.version().toString());
		machine.put("java options", "-Xms512m -Xmx1g");
		machine.put("postgresql", this.arena.version());
		return machine;
	}

	private Map<String, Object> figures() {
		Map<String, Object> works = new LinkedHashMap<>();
		for (String work : this.results.works()) {
			Map<String, Object> figures = new LinkedHashMap<>();
			for (String figure : this.results.figures(work)) {
				Map<String, Object> contenders = new LinkedHashMap<>();
				for (String contender : this.results.contenders(work, figure)) {
					contenders.put(contender,
							Map.of("median", this.results.median(work, figure, contender), "lowest",
									this.results.lowest(work, figure, contender), "highest",
									this.results.highest(work, figure, contender), "rounds",
									this.results.rounds(work, figure, contender)));
				}
				figures.put(figure, contenders);
			}
			works.put(work, figures);
		}
		return works;
	}

	private List<Path> plots(Path directory) throws IOException {
		List<Path> plots = new ArrayList<>();
		for (Scale.Backlog backlog : this.arguments.scale().drains()) {
			plot(plots, directory, backlog.label(), Figures.RATE, true);
			plot(plots, directory, backlog.label(), Figures.PROCESSOR, true);
			plot(plots, directory, backlog.label(), Figures.LOG, false);
		}
		plot(plots, directory, PeerComparison.STEADY, Figures.DELIVERED, false);
		plot(plots, directory, PeerComparison.STEADY, Figures.P50, true);
		plot(plots, directory, PeerComparison.STEADY, Figures.P99, true);
		plot(plots, directory, PeerComparison.STEADY, Figures.LOG, false);
		plot(plots, directory, PeerComparison.LATENCY, Figures.P50, true);
		plot(plots, directory, PeerComparison.LATENCY, Figures.P99, true);
		plot(plots, directory, PeerComparison.LATENCY_DEFAULTS, Figures.P50, true);
		plot(plots, directory, PeerComparison.IDLE, Figures.STATEMENTS, true);
		plot(plots, directory, PeerComparison.LOCKS, Figures.LOCKS, false);
		return plots;
	}

	private void plot(List<Path> plots, Path directory, String work, String figure, boolean logarithmic)
			throws IOException {
		BarChart chart = new BarChart(work, figure, logarithmic);
		for (String contender : this.results.contenders(work, figure)) {
			chart.add(contender, this.results.median(work, figure, contender),
					this.results.lowest(work, figure, contender), this.results.highest(work, figure, contender));
		}
		if (!chart.isEmpty()) {
			String name = (work + "-" + figure).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
			plots.add(Files.writeString(directory.resolve(name + ".svg"), chart.svg()));
		}
	}

}
