package io.whizbang.docs;

import java.util.List;
import java.util.Map;

import io.whizbang.autoconfigure.endpoint.HttpCalls.Answer;
import io.whizbang.docs.sample.AccountsApplication;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page says about HTTP, in a running application with the page's own samples.
 */
@PostgresTest
class PerspectivesPageTests {

	private static final String PATH = "/actuator/whizbangperspectives";

	private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

	private static AccountsApplication application;

	@BeforeAll
	static void start(PostgresDatabase database) {
		application = new AccountsApplication(database);
		application.open("account-1", 1, 1, 1, 1, 1, 500, 2);
		application.open("account-2", 1);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void everyCommandWorks() {
		List<Curl> commands = Curl.in(Page.of("docs/perspectives.md"));
		assertThat(commands).hasSizeGreaterThan(8);
		awaitReady();
		JsonNode stopped = get("/account-list").get("stopped").get(0);
		assertThat(stopped.get("stream").stringValue()).isEqualTo("account-1");
		assertThat(stopped.get("error").stringValue()).contains("not_more_than_a_hundred");
		for (Curl command : commands) {
			awaitReady();
			Answer answer = application.send(command.method(), command.path(), command.headers(), command.body());
			assertThat(answer.status()).as(command + " answered with " + answer).isEqualTo(200);
			assertThat(answer.body().get("runs")).as(command.toString()).isNotEmpty();
		}
		Await.untilAsserted(() -> assertThat(application.account("account-1")).containsEntry("balance", 7));
		assertThat(get("/account-list").get("stopped")).isEmpty();
		Await.until("the new run serves", () -> get("/turnover-per-day").get("runs").get(0).get("run").intValue() == 2);
		assertThat(application.turnover()).isEqualTo(508);
	}

	/**
	 * The stream of the commands stands still until one of these skips what is wrong with
	 * it, and a perspective that is rebuilt is done with it before the next command.
	 */
	private static void awaitReady() {
		Await.until("the dead stream, and one run of each", () -> {
			JsonNode accounts = get("/account-list");
			JsonNode turnover = get("/turnover-per-day");
			JsonNode stopped = accounts.get("stopped");
			return turnover.get("runs").size() == 1 && stopped.size() == 1
					&& stopped.get(0).get("state").stringValue().equals("dead")
					&& stopped.get(0).get("version").longValue() == 6;
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					GET  | /nobody                       |                                              | 400 | There is no perspective "nobody" here
					GET  | /account-list?limit=0         |                                              | 400 | The limit must be between 1 and
					GET  | /account-list?limit=many      |                                              | 400 | limit must be a whole number but is 'many'
					POST | /nobody/rebuild               | {}                                           | 400 | There is no perspective "nobody" here
					POST | /nobody/rebuild-beside        | {}                                           | 400 | There is no perspective "nobody" here
					POST | /nobody/pause                 | {}                                           | 400 | There is no perspective "nobody" here
					POST | /nobody/resume                | {}                                           | 400 | There is no perspective "nobody" here
					POST | /nobody/replay                | {"stream": "account-2"}                      | 400 | There is no perspective "nobody" here
					POST | /nobody/retry                 | {"stream": "account-2"}                      | 400 | There is no perspective "nobody" here
					POST | /nobody/skip                  | {"stream": "account-2", "version": "1"}      | 400 | There is no perspective "nobody" here
					POST | /account-list/explode         | {}                                           | 400 | The action must be one of rebuild, rebuild-beside, pause, resume, replay, retry and skip but is 'explode'
					POST | /account-list/retry           | {}                                           | 400 | Say which stream: give its key
					POST | /account-list/replay          | {"stream": " "}                              | 400 | Say which stream: give its key
					POST | /account-list/skip            | {"stream": "account-2"}                      | 400 | Say which event: give its version
					POST | /account-list/skip            | {"stream": "account-2", "version": "second"} | 400 | version of an event must be a whole number but is 'second'
					POST | /account-list/skip            | {"stream": "account-2", "version": "2"}      | 409 | The stream "account-2" has not stopped at version 2 in "account-list"
					POST | /account-list/retry           | {"stream": "account-2"}                      | 409 | The stream "account-2" has not stopped in "account-list"
					POST | /account-list/rebuild-beside  | {}                                           | 409 | The perspective "account-list" cannot be built beside the one that serves. Write a method with @OnPrepare
					POST | /turnover-per-day/replay      | {"stream": "account-2"}                      | 409 | @OnReset
					POST | /account-list/retry           | {"stream":                                   | 400 | Bad Request
					POST | /account-list/retry           | {"stream": ["account-2"]}                    | 400 | Bad Request
					""")
	void saysWhatIsWrong(String method, String path, String body, int status, String error) {
		Answer answer = application.send(method, PATH + path, JSON, (body != null) ? body : "");
		assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
		assertThat(answer.error()).contains(error);
	}

	private static JsonNode get(String path) {
		Answer answer = application.send("GET", PATH + path, Map.of(), "");
		assertThat(answer.status()).isEqualTo(200);
		return answer.body();
	}

}
