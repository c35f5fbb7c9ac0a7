package io.whizbang.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class SamplesTests {

	@ParameterizedTest
	@MethodSource("io.whizbang.docs.Page#all")
	void everySampleIsARegionOfCompiledCode(Page page) throws IOException {
		for (Page.Block block : page.blocks()) {
			if (!block.sample().isEmpty()) {
				assertThat(block.text()).as("sample %s in %s", block.sample(), page).isEqualTo(region(block.sample()));
			}
			// StartPageTests compiles what the first page shows, and runs it.
			else if (!page.toString().equals("docs/start.md")) {
				assertThat(block.language())
					.as("Java in %s without a comment <!-- sample: path#name --> before it:%n%s", page, block.text())
					.isNotEqualTo("java");
			}
		}
	}

	private static String region(String sample) throws IOException {
		String path = sample.substring(0, sample.indexOf('#'));
		String name = sample.substring(sample.indexOf('#') + 1);
		List<String> lines = Files.readAllLines(Page.ROOT.resolve(path));
		int start = place(lines, "tag::" + name + "[]", sample);
		int end = place(lines, "end::" + name + "[]", sample);
		return String.join("\n", lines.subList(start + 1, end)).stripIndent().replace("\t", "    ") + "\n";
	}

	private static int place(List<String> lines, String mark, String sample) {
		for (int i = 0; i < lines.size(); i++) {
			if (lines.get(i).contains(mark)) {
				return i;
			}
		}
		throw new AssertionError("No " + mark + " for sample " + sample);
	}

}
