package io.whizbang.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param path its path, seen from the root of the repository
 * @param text what it says
 */
record Page(Path path, String text) {

	static final Path ROOT = root();

	private static final Pattern BLOCK = Pattern
		.compile("(?:<!-- sample: (?<sample>\\S+) -->\\n)?```(?<language>\\w*)\\n(?<text>.*?)```\\n", Pattern.DOTALL);

	static Page of(String path) {
		return of(ROOT.resolve(path));
	}

	/** Everything in docs, and what stands beside the code. */
	static List<Page> all() throws IOException {
		List<Page> pages = new ArrayList<>(List.of(of("README.md"), of("CHANGELOG.md"), of("CONTRIBUTING.md"),
				of("benchmarks/README.md"), of("sample-app/README.md")));
		try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
			files.filter((file) -> file.toString().endsWith(".md")).sorted().map(Page::of).forEach(pages::add);
		}
		return pages;
	}

	/** What stands between fences, with the sample that a comment before them names. */
	List<Block> blocks() {
		return BLOCK.matcher(this.text).results().map(Page::block).toList();
	}

	String textWithoutBlocks() {
		return BLOCK.matcher(this.text).replaceAll("");
	}

	@Override
	public String toString() {
		return this.path.toString();
	}

	private static Block block(MatchResult match) {
		return new Block((match.group(1) != null) ? match.group(1) : "", match.group(2), match.group(3));
	}

	private static Page of(Path file) {
		try {
			return new Page(ROOT.relativize(file), Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path root() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.isDirectory(directory.resolve("docs/decisions"))) {
			directory = directory.getParent();
			if (directory == null) {
				throw new IllegalStateException("docs/decisions is in no directory above this one");
			}
		}
		return directory;
	}

	/**
	 * A block of code.
	 *
	 * @param sample path and name of the region that it shows, or nothing
	 * @param language what it is written in
	 * @param text the code
	 */
	record Block(String sample, String language, String text) {
	}

}
