package io.whizbang.docs;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class LinksTests {

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

	@ParameterizedTest
	@MethodSource("io.whizbang.docs.Page#all")
	void everyRelativeLinkLeadsSomewhere(Page page) {
		List<String> broken = LINK.matcher(page.textWithoutBlocks())
			.results()
			.map((match) -> match.group(1))
			.filter((target) -> !target.matches("[a-z]+:.*"))
			.filter((target) -> !leadsSomewhere(page, target))
			.toList();
		assertThat(broken).as("broken links in %s", page).isEmpty();
	}

	private static boolean leadsSomewhere(Page page, String target) {
		String[] parts = target.split("#", 2);
		String path = parts[0].isEmpty() ? page.toString()
				: Page.ROOT.relativize(Page.ROOT.resolve(page.path()).resolveSibling(parts[0]).normalize()).toString();
		if (!Page.ROOT.resolve(path).toFile().exists()) {
			return false;
		}
		return parts.length == 1 || anchors(Page.of(path)).contains(parts[1]);
	}

	/** As GitHub makes them. */
	private static List<String> anchors(Page page) {
		return HEADING.matcher(page.textWithoutBlocks())
			.results()
			.map((match) -> match.group(1)
				.toLowerCase(Locale.ROOT)
				.replaceAll("[^\\p{IsAlphabetic}0-9 _-]", "")
				.replace(' ', '-'))
			.toList();
	}

}
