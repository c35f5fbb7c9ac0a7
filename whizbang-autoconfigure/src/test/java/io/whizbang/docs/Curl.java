package io.whizbang.docs;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A command of a page, as what it would send.
 *
 * @param method the method
 * @param path what follows host and port
 * @param headers the headers
 * @param body the body, or nothing
 */
record Curl(String method, String path, Map<String, String> headers, String body) {

	private static final String HOST = "http://localhost:8080";

	private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s']+)");

	static List<Curl> in(Page page) {
		return page.blocks()
			.stream()
			.filter((block) -> block.language().equals("sh"))
			.flatMap((block) -> block.text().replace("\\\n", " ").lines())
			.map(Curl::of)
			.toList();
	}

	private static Curl of(String command) {
		Iterator<String> words = WORD.matcher(command).results().map(Curl::word).iterator();
		assertThat(words.next()).isEqualTo("curl");
		String method = "GET";
		String path = "";
		String body = "";
		Map<String, String> headers = new HashMap<>();
		while (words.hasNext()) {
			String word = words.next();
			switch (word) {
				case "-X" -> method = words.next();
				case "-H" -> {
					String[] header = words.next().split(": ");
					headers.put(header[0], header[1]);
				}
				case "-d" -> {
					body = words.next();
					method = "POST";
				}
				default -> {
					assertThat(word).startsWith(HOST);
					path = word.substring(HOST.length());
				}
			}
		}
		return new Curl(method, path, headers, body);
	}

	private static String word(MatchResult match) {
		return (match.group(1) != null) ? match.group(1) : match.group(2);
	}

}
