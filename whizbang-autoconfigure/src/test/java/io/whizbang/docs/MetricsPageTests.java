package io.whizbang.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of meters is what an application registers, and what watches it (the rules
 * for Prometheus, the dashboard) asks for nothing else.
 */
@PostgresTest
class MetricsPageTests {

	private static final Path FOLDER = Page.ROOT.resolve("docs/operations");

	private static final Pattern ROW = Pattern.compile("^\\| `(whizbang\\.[a-z.-]+)` \\|(.*)\\|$", Pattern.MULTILINE);

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern SAMPLE = Pattern.compile("^(whizbang_\\w+)(?:\\{(.*)})? \\S+$", Pattern.MULTILINE);

	private static final Pattern LABEL = Pattern.compile("(\\w+)\\s*=~?\\s*\"");

	private static final Pattern SELECTOR = Pattern.compile("(whizbang_\\w+)(?:\\{([^}]*)})?");

	private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\) \\(.*?(whizbang_\\w+)");

	/** Prometheus has this label on all that it scrapes, and gives ours another name. */
	private static final Map<String, String> RENAMED = Map.of("job", "", "exported_job", "job");

	private static MeteredApplication application;

	/** Labels by the name of the sample. */
	private static Map<String, Set<String>> samples;

	@BeforeAll
	static void start(PostgresDatabase database) {
		application = new MeteredApplication(database);
		samples = new TreeMap<>();
		for (Matcher sample = SAMPLE.matcher(application.registry().scrape()); sample.find();) {
			Set<String> labels = samples.computeIfAbsent(sample.group(1), (name) -> new TreeSet<>());
			labels.addAll(labels((sample.group(2) != null) ? sample.group(2) : ""));
		}
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void thePageListsEveryMeterWithItsKindAndItsTags() {
		Map<String, String> listed = new TreeMap<>();
		for (Matcher row = ROW.matcher(Page.of("docs/operations/metrics.md").text()); row.find();) {
			String[] cells = row.group(2).split("\\|");
			assertThat(cells).as("cells of %s", row.group(1))
				.hasSize(4)
				.noneMatch((cell) -> cell.isBlank() && !cell.equals(cells[1]));
			String kind = cells[0].contains("timer") ? "timer" : cells[0].strip().split(",")[0];
			listed.put(row.group(1), kind + " " + new TreeSet<>(codes(cells[1])));
		}
		Map<String, String> registered = new TreeMap<>();
		Map<String, Set<String>> tags = new TreeMap<>();
		for (Meter meter : application.registry().getMeters()) {
			String name = meter.getId().getName();
			if (name.startsWith("whizbang.") && meter.getId().getType() != Meter.Type.LONG_TASK_TIMER) {
				tags.computeIfAbsent(name, (key) -> new TreeSet<>())
					.addAll(meter.getId().getTags().stream().map(Tag::getKey).toList());
				registered.put(name, meter.getId().getType().name().toLowerCase() + " " + tags.get(name));
			}
		}
		assertThat(listed).as("""
				Meters of docs/operations/metrics.md, beside those of MeteredApplication. A new meter needs a row \
				there, and a line here that makes it happen""").isEqualTo(registered);
	}

	@Test
	void countersOfTroubleThatCanBeKnownStandAtZeroFromTheStart() {
		assertThat(application.atStart().lines()).contains("whizbang_claims_lost_total{queue=\"outbox\"} 0.0",
				"whizbang_messages_recovered_total{queue=\"inbox\"} 0.0",
				"whizbang_messages_orphaned_total{queue=\"outbox\"} 0.0",
				"whizbang_messages_received_total{outcome=\"conflict\",queue=\"inbox\"} 0.0",
				"whizbang_perspective_shards_lost_total{perspective=\"accounts\"} 0.0",
				"whizbang_join_closed_total{status=\"expired\"} 0.0", "whizbang_join_follow_up_failures_total 0.0");
	}

	@Test
	void theRulesAskForWhatExists() {
		List<Map<String, Object>> rules = rules();
		assertThat(rules).hasSizeGreaterThan(10).allSatisfy((rule) -> {
			assertThat(rule).containsKeys("alert", "expr", "labels", "annotations");
			assertExists(String.valueOf(rule.get("expr")));
		});
	}

	@Test
	void whatIsWorthAnAlertHasARule() {
		List<String> expressions = rules().stream().map((rule) -> String.valueOf(rule.get("expr"))).toList();
		List<String> withoutRule = new ArrayList<>();
		for (Matcher row = ROW.matcher(Page.of("docs/operations/metrics.md").text()); row.find();) {
			String alert = row.group(2).split("\\|")[3].strip();
			Pattern sample = Pattern.compile(
					"\\b" + row.group(1).replaceAll("[.-]", "_") + "(_seconds)?(_total|_count|_sum|_max|_bucket)?\\b");
			if (!alert.matches("no(;.*)?") && expressions.stream().noneMatch(sample.asPredicate())) {
				withoutRule.add(row.group(1));
			}
		}
		assertThat(withoutRule).as("Meters that are worth an alert, and that no rule of alerts.yml asks for").isEmpty();
	}

	@Test
	void theGuideExplainsEveryRule() {
		String guide = Page.of("docs/operations/README.md").text();
		assertThat(rules()).allSatisfy((rule) -> assertThat(guide).contains("| `" + rule.get("alert") + "` |"));
		assertThat(Pattern.compile("\\| `(Whizbang\\w+)` \\|").matcher(guide).results().map((match) -> match.group(1)))
			.as("alerts of the guide")
			.containsExactlyInAnyOrderElementsOf(
					rules().stream().map((rule) -> String.valueOf(rule.get("alert"))).toList());
	}

	@Test
	void theDashboardAsksForWhatExists() throws IOException {
		JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(FOLDER.resolve("grafana.json")));
		List<String> expressions = dashboard.findValuesAsString("expr");
		assertThat(expressions).hasSizeGreaterThan(20).allSatisfy(MetricsPageTests::assertExists);
		assertThat(dashboard.get("panels").valueStream().map((panel) -> panel.get("id").intValue()))
			.doesNotHaveDuplicates();
	}

	@Test
	void promtoolFindsNothingWrong() throws Exception {
		String promtool = promtool();
		if (promtool == null) {
			assertThat(System.getenv("WHIZBANG_TEST_PROMTOOL_REQUIRED")).as("promtool is required, and there is none")
				.isNull();
		}
		Assumptions.assumeTrue(promtool != null,
				"SKIPPED: promtool is not on the path, so nobody has checked and tried the rules of alerts.yml");
		for (List<String> arguments : List.of(List.of("check", "rules", "alerts.yml"),
				List.of("test", "rules", "alerts-test.yml"))) {
			Process process = new ProcessBuilder(
					Stream.concat(Stream.of(String.valueOf(promtool)), arguments.stream()).toList())
				.directory(FOLDER.toFile())
				.redirectErrorStream(true)
				.start();
			String output = new String(process.getInputStream().readAllBytes());
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(process.exitValue()).as(output).isZero();
		}
	}

	private static void assertExists(String expression) {
		assertThat(expression).contains("whizbang_");
		for (Matcher selector = SELECTOR.matcher(expression); selector.find();) {
			assertLabels(selector.group(1), labels((selector.group(2) != null) ? selector.group(2) : ""), expression);
		}
		for (Matcher by = BY.matcher(expression); by.find();) {
			assertLabels(by.group(2), Set.of(by.group(1).split(", ")), expression);
		}
	}

	private static void assertLabels(String sample, Set<String> labels, String expression) {
		assertThat(samples).as(expression).containsKey(sample);
		Set<String> ours = labels.stream()
			.map((label) -> RENAMED.getOrDefault(label, label))
			.filter((label) -> !label.isEmpty())
			.collect(Collectors.toSet());
		assertThat(samples.get(sample)).as("labels of %s in %s", sample, expression).containsAll(ours);
	}

	private static Set<String> labels(String selector) {
		return LABEL.matcher(selector).results().map((match) -> match.group(1)).collect(Collectors.toSet());
	}

	private static List<String> codes(String cell) {
		return CODE.matcher(cell).results().map((match) -> match.group(1)).toList();
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> rules() {
		try {
			Map<String, Object> file = new Yaml().load(Files.readString(FOLDER.resolve("alerts.yml")));
			Map<String, Object> group = ((List<Map<String, Object>>) file.get("groups")).get(0);
			return (List<Map<String, Object>>) group.get("rules");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static @org.jspecify.annotations.Nullable String promtool() {
		return Arrays.stream(System.getenv("PATH").split(":"))
			.map((folder) -> Path.of(folder, "promtool"))
			.filter(Files::isExecutable)
			.map(Path::toString)
			.findFirst()
			.orElse(null);
	}

}
