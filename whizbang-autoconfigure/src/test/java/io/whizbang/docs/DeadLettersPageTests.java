package io.whizbang.docs;

import java.util.List;

import io.whizbang.autoconfigure.endpoint.HttpCalls.Answer;
import io.whizbang.autoconfigure.endpoint.LettersApplication;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class DeadLettersPageTests {

	@Test
	void everyCommandWorks(PostgresDatabase database) {
		try (LettersApplication application = new LettersApplication(database)) {
			application.die("first", 17);
			application.die("second", 18);
			application.die("third", 19);
			application.record("{", 20);
			application.die("fourth", 21);
			List<Curl> commands = Curl.in(Page.of("docs/dead-letters.md"));
			assertThat(commands).hasSizeGreaterThan(5);
			for (Curl command : commands) {
				Answer answer = application.send(command.method(), command.path(), command.headers(), command.body());
				assertThat(answer.status()).as(command.toString()).isEqualTo(200);
				assertThat(answer.body().path("count").intValue(1)).as(command.toString()).isPositive();
			}
		}
	}

}
