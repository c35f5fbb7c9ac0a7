package io.whizbang.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

import io.whizbang.autoconfigure.endpoint.HttpCalls.Answer;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoints over HTTP, in a running application.
 */
@PostgresTest
class DeadLettersEndpointTests {

	private static final String LETTERS = "/actuator/whizbangdeadletters";

	private static final String AUDIT = "/actuator/whizbangdeadletteraudit";

	private static final long RAW = 20;

	private static LettersApplication running;

	private final LettersApplication application = running;

	@BeforeAll
	static void start(PostgresDatabase database) {
		running = new LettersApplication(database);
	}

	@BeforeEach
	void forget() {
		this.application.forget();
	}

	@AfterAll
	static void stop() {
		running.close();
	}

	@Test
	void listsPagesAndFilters() {
		this.application.die("one", 1);
		this.application.die("two", 2);
		this.application.record("{", RAW);
		Answer first = this.application.get(LETTERS + "?limit=2");
		assertThat(first.status()).isEqualTo(200);
		assertThat(ids(first)).containsExactly(RAW, 2L);
		Answer second = this.application.get(LETTERS + "?limit=2&before=" + first.body().get("next").longValue());
		assertThat(ids(second)).containsExactly(1L);
		assertThat(second.body().has("next")).isFalse();
		JsonNode letter = second.body().get("letters").get(0);
		assertThat(letter.get("queue").stringValue()).isEqualTo("outbox");
		assertThat(letter.get("reason").stringValue()).isEqualTo("permanent");
		assertThat(letter.get("topic").stringValue()).isEqualTo("orders");
		assertThat(letter.get("stream").stringValue()).isEqualTo("A");
		assertThat(letter.get("error").stringValue()).contains("no hope for \"one\"").doesNotContain("\n");
		assertThat(letter.has("payload")).isFalse();
		assertThat(ids(this.application.get(LETTERS + "?reason=malformed"))).containsExactly(RAW);
		assertThat(ids(this.application.get(LETTERS + "?source=kafka:orders&queue=outbox"))).containsExactly(RAW);
		assertThat(ids(this.application.get(LETTERS + "?topic=orders&stream=A&type=java.lang.String")))
			.containsExactly(2L, 1L);
		assertThat(ids(this.application.get(LETTERS + "?messageId=" + letter.get("messageId").stringValue())))
			.containsExactly(1L);
		assertThat(ids(this.application.get(LETTERS + "?from=2020-01-01T00:00:00Z&until=2021-01-01T00:00:00Z")))
			.isEmpty();
	}

	@Test
	void showsALetterWithItsHistory() {
		this.application.die("one", 1);
		JsonNode first = this.application.get(LETTERS + "/1").body();
		assertThat(first.get("payload").stringValue()).isEqualTo("\"one\"");
		assertThat(first.get("headers").get("tenant").stringValue()).isEqualTo("north");
		assertThat(first.get("error").stringValue()).contains("\tat io.whizbang");
		assertThat(first.get("history")).isEmpty();
		assertThat(first.has("raw")).isFalse();
		this.application.doom("one");
		assertThat(this.application.post(LETTERS + "/1", "{\"who\": \"ada\", \"note\": \"fixed\"}").status())
			.isEqualTo(200);
		assertThat(this.application.get(LETTERS + "/1").status()).isEqualTo(404);
		Await.until("the second death", () -> !ids(this.application.get(LETTERS)).isEmpty());
		long again = ids(this.application.get(LETTERS)).get(0);
		JsonNode history = this.application.get(LETTERS + "/" + again).body().get("history");
		assertThat(history).hasSize(1);
		JsonNode entry = history.get(0);
		assertThat(entry.get("action").stringValue()).isEqualTo("replayed");
		assertThat(entry.get("by").stringValue()).isEqualTo("ada");
		assertThat(entry.get("note").stringValue()).isEqualTo("fixed");
		assertThat(entry.get("letter").longValue()).isEqualTo(1);
		assertThat(entry.get("error").stringValue()).isEqualTo(first.get("error").stringValue());
		String messageId = first.get("messageId").stringValue();
		assertThat(this.application.get(AUDIT + "?messageId=" + messageId).body().get("entries")).isEqualTo(history);
	}

	@Test
	void replayedMessageIsDelivered() {
		this.application.die("one", 1);
		this.application.post(LETTERS + "/1", "{}");
		Await.untilAsserted(() -> assertThat(this.application.delivered()).containsExactly("\"one\""));
	}

	@Test
	void showsWhatNeverWasAMessageAsBase64AndRefusesToReplayIt() {
		this.application.record("{", RAW);
		JsonNode letter = this.application.get(LETTERS + "/" + RAW).body();
		assertThat(letter.get("raw").stringValue()).isEqualTo("ew==");
		assertThat(letter.get("source").stringValue()).isEqualTo("kafka:orders");
		assertThat(letter.has("payload")).isFalse();
		Answer refused = this.application.post(LETTERS + "/" + RAW, "{}");
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.error()).contains("Dead letter " + RAW).contains("never was a message");
		assertThat(this.application.delete(LETTERS + "/" + RAW).status()).isEqualTo(200);
	}

	@Test
	void replaysAndDiscardsMany() {
		this.application.die("one", 1);
		this.application.die("two", 2);
		this.application.die("three", 3);
		this.application.record("{", RAW);
		Answer some = this.application.post(LETTERS, "{\"ids\": \"2, 1, 99, %d\"}".formatted(RAW));
		assertThat(some.body().toString())
			.isEqualTo("{\"action\":\"replayed\",\"count\":2,\"absent\":[99],\"raw\":[%d]}".formatted(RAW));
		Await.untilAsserted(() -> assertThat(this.application.delivered()).containsExactly("\"one\"", "\"two\""));
		Answer all = this.application.post(LETTERS, "{\"reason\": \"permanent\", \"topic\": \"orders\"}");
		assertThat(all.body().get("count").longValue()).isEqualTo(1);
		Await.untilAsserted(() -> assertThat(this.application.delivered()).hasSize(3));
		assertThat(this.application.delete(LETTERS + "?ids=98,99").body().get("absent")).hasSize(2);
		assertThat(this.application.delete(LETTERS + "?reason=malformed&note=test").body().get("count").longValue())
			.isEqualTo(1);
		assertThat(ids(this.application.get(LETTERS))).isEmpty();
		JsonNode audit = this.application.get(AUDIT + "?limit=1").body();
		assertThat(audit.get("entries").get(0).get("action").stringValue()).isEqualTo("discarded");
		assertThat(this.application.get(AUDIT + "?before=" + audit.get("next").longValue()).body().get("entries"))
			.hasSize(3);
	}

	@Test
	void whoIsLoggedInIsInTheAudit() {
		this.application.die("one", 1);
		this.application.die("two", 2);
		this.application.send("POST", LETTERS + "/1", Map.of("Content-Type", "application/json", "Test-User", "grace"),
				"{\"who\": \"ada\"}");
		this.application.delete(LETTERS + "/2");
		JsonNode entries = this.application.get(AUDIT).body().get("entries");
		assertThat(entries.get(0).get("by").stringValue()).isEqualTo("anonymous");
		assertThat(entries.get(1).get("by").stringValue()).isEqualTo("grace");
	}

	@Test
	void readOnlyAccessChangesNothing(PostgresDatabase database) {
		try (LettersApplication readOnly = new LettersApplication(database,
				"management.endpoint.whizbangdeadletters.access=read-only")) {
			this.application.record("{", RAW);
			assertThat(readOnly.get(LETTERS + "/" + RAW).status()).isEqualTo(200);
			assertThat(readOnly.delete(LETTERS + "/" + RAW).status()).isEqualTo(405);
			assertThat(readOnly.post(LETTERS + "/" + RAW, "{}").status()).isEqualTo(405);
			assertThat(readOnly.get(LETTERS + "/" + RAW).status()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "GET | /x | 400 | number of a dead letter must be a whole number but is 'x'",
			"GET | /4711 | 404 | no dead letter 4711", "POST | /4711 | 404 | no dead letter 4711",
			"DELETE | /4711 | 404 | no dead letter 4711",
			"GET | ?limit=0 | 400 | limit must be between 1 and 1000 but is 0",
			"GET | ?limit=many | 400 | limit must be a whole number but is 'many'",
			"GET | ?before=x | 400 | before must be a whole number but is 'x'",
			"GET | ?queue=sales | 400 | queue must be one of [outbox",
			"GET | ?messageId=x | 400 | messageId must be a UUID but is 'x'",
			"GET | ?from=yesterday | 400 | from must be a time with offset, as 2026-01-31T12:00:00Z, but is 'yesterday'",
			"GET | ?from=-999999999-01-01T00:00:00Z | 400 | a time that is too far away",
			"POST | '' | 400 | give ids, or a reason", "DELETE | ?topic=orders | 400 | give ids, or a reason",
			"DELETE | ?ids=1&reason=x | 400 | not both",
			"DELETE | ?ids=1,x | 400 | number of a dead letter must be a whole number but is 'x'" })
	void saysWhatIsWrong(String method, String path, int status, String error) {
		Answer answer = this.application.send(method, LETTERS + path, Map.of("Content-Type", "application/json"),
				method.equals("POST") ? "{}" : "");
		assertThat(answer.status()).isEqualTo(status);
		assertThat(answer.error()).contains(error);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void nobodyForgesLinesOfTheLog(CapturedOutput output) {
		this.application.die("one", 1);
		this.application.post(LETTERS + "/1", "{\"who\":\"ada\\nFORGED\"}");
		assertThat(output.getOut()).contains("replayed by ada?FORGED").doesNotContain("\nFORGED");
	}

	private static List<Long> ids(Answer answer) {
		return StreamSupport.stream(answer.body().get("letters").spliterator(), false)
			.map((letter) -> letter.get("id").longValue())
			.toList();
	}

}
