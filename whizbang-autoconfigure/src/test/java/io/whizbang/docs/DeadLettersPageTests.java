package io.whizbang.docs;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.whizbang.autoconfigure.endpoint.LettersApplication;
import io.whizbang.autoconfigure.endpoint.LettersApplication.Answer;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class DeadLettersPageTests {

	private static final String HOST = "http://localhost:8080";

	private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s']+)");

	@Test
	void everyCommandWorks(PostgresDatabase database) {
		try (LettersApplication application = new LettersApplication(database)) {
			application.die("first", 17);
			application.die("second", 18);
			application.die("third", 19);
			application.record("{", 20);
			application.die("fourth", 21);
			List<String> commands = Page.of("docs/dead-letters.md")
				.blocks()
				.stream()
				.filter((block) -> block.language().equals("sh"))
				.flatMap((block) -> block.text().replace("\\\n", " ").lines())
				.toList();
			assertThat(commands).hasSizeGreaterThan(5);
			for (String command : commands) {
				Answer answer = run(application, command);
				assertThat(answer.status()).as(command).isEqualTo(200);
				assertThat(answer.body().path("count").intValue(1)).as(command).isPositive();
			}
		}
	}

	/** Sends what curl would send. */
	private static Answer run(LettersApplication application, String command) {
		Iterator<String> words = WORD.matcher(command).results().map(DeadLettersPageTests::word).iterator();
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
		return application.send(method, path, headers, body);
	}

	private static String word(MatchResult match) {
		return (match.group(1) != null) ? match.group(1) : match.group(2);
	}

}
