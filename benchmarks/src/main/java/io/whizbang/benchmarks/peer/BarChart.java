package io.whizbang.benchmarks.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A plot of horizontal bars with the spread of the rounds, as SVG, to be read on light
 * and on dark paper.
 */
final class BarChart {

	private static final int WIDTH = 720;

	private static final int LEFT = 130;

	private static final int RIGHT = 90;

	private static final int TOP = 56;

	private static final int ROW = 28;

	private static final String STYLE = """
			<style>
			text { font: 13px system-ui, sans-serif; fill: #24292f }
			.title { font-weight: 600; font-size: 15px }
			.note { fill: #57606a; font-size: 12px }
			.bar { fill: #8c959f }
			.own { fill: #0969da }
			.spread { stroke: #24292f; stroke-width: 1.5 }
			@media (prefers-color-scheme: dark) {
			text { fill: #e6edf3 }
			.note { fill: #9198a1 }
			.bar { fill: #6e7681 }
			.own { fill: #4493f8 }
			.spread { stroke: #e6edf3 }
			}
			</style>
			""";

	private final String title;

	private final String unit;

	private final boolean logarithmic;

	private final List<Bar> bars = new ArrayList<>();

	BarChart(String title, String unit, boolean logarithmic) {
		this.title = title;
		this.unit = unit;
		this.logarithmic = logarithmic;
	}

	void add(String name, double median, double lowest, double highest) {
		if (Double.isFinite(median)) {
			this.bars.add(new Bar(name, median, lowest, highest));
		}
	}

	boolean isEmpty() {
		return this.bars.isEmpty();
	}

	String svg() {
		int height = TOP + ROW * this.bars.size() + 10;
		StringBuilder svg = new StringBuilder();
		svg.append(text("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' role='img'>%n", WIDTH, height))
			.append(text("<title>%s, %s</title>%n", escaped(this.title), escaped(this.unit)))
			.append(STYLE)
			.append(text("<text x='10' y='22' class='title'>%s</text>%n", escaped(this.title)))
			.append(text("<text x='10' y='42' class='note'>%s, median and range of the rounds%s</text>%n",
					escaped(this.unit), this.logarithmic ? ", logarithmic scale" : ""));
		double highest = this.bars.stream().mapToDouble(Bar::highest).max().orElse(1);
		double lowest = this.bars.stream().mapToDouble(Bar::lowest).filter((value) -> value > 0).min().orElse(1);
		int y = TOP;
		for (Bar bar : this.bars) {
			double end = x(bar.median(), lowest, highest);
			svg.append(text("<text x='%d' y='%d' text-anchor='end'>%s</text>%n", LEFT - 8, y + 15, escaped(bar.name())))
				.append(text("<rect x='%d' y='%d' width='%.1f' height='18' rx='2' class='%s'/>%n", LEFT, y + 2,
						Math.max(1, end - LEFT), bar.name().equals(Peers.WHIZBANG.label()) ? "own" : "bar"))
				.append(text("<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' class='spread'/>%n",
						x(bar.lowest(), lowest, highest), x(bar.highest(), lowest, highest), y + 11, y + 11))
				.append(text("<text x='%.1f' y='%d'>%s</text>%n", Math.max(end, x(bar.highest(), lowest, highest)) + 6,
						y + 15, number(bar.median())));
			y += ROW;
		}
		return svg.append("</svg>\n").toString();
	}

	private double x(double value, double lowest, double highest) {
		int width = WIDTH - LEFT - RIGHT;
		if (!this.logarithmic) {
			return LEFT + width * Math.max(0, value) / Math.max(highest, 1e-9);
		}
		double from = Math.log10(lowest) - 0.5;
		double to = Math.max(Math.log10(highest), from + 1);
		return LEFT + width * Math.max(0, (Math.log10(Math.max(value, lowest)) - from) / (to - from));
	}

	private static String number(double value) {
		return text((value >= 100) ? "%,.0f" : "%.2f", value);
	}

	private static String text(String format, Object... values) {
		return String.format(Locale.ROOT, format, values);
	}

	private static String escaped(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
	}

	/** One bar. */
	private record Bar(String name, double median, double lowest, double highest) {

	}

}
