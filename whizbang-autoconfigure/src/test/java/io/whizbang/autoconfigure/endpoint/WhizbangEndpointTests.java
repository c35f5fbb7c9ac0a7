package io.whizbang.autoconfigure.endpoint;

import java.util.Map;
import java.util.stream.Collectors;

import io.whizbang.autoconfigure.endpoint.HttpCalls.Answer;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint over HTTP, in a running application.
 */
@PostgresTest
class WhizbangEndpointTests {

	private static final String ENDPOINT = "/actuator/whizbang";

	private static LettersApplication running;

	private final LettersApplication application = running;

	@BeforeAll
	static void start(PostgresDatabase database) {
		running = new LettersApplication(database, "management.endpoints.web.exposure.include=whizbang");
	}

	@AfterAll
	static void stop() {
		running.close();
	}

	@Test
	void hasALineForEachFeature() {
		Answer answer = this.application.get(ENDPOINT);
		assertThat(answer.status()).isEqualTo(200);
		JsonNode features = answer.body().get("features");
		assertThat(features.valueStream().map((line) -> line.get("feature").stringValue())).containsExactly("outbox",
				"inbox", "perspectives", "timers", "jobs", "fanout", "joins", "queues", "leases");
		JsonNode outbox = features.get(0);
		assertThat(outbox.get("state").stringValue()).isEqualTo("running");
		assertThat(outbox.get("backlog").isNumber()).isTrue();
		assertThat(outbox.get("recent").get("done")).hasSize(60);
		assertThat(answer.body().get("countedUpTo").intValue()).isEqualTo(10_000);
	}

	@Test
	void calledUnusedIsWhatHasNobodyHereToWorkFor() {
		Map<String, String> states = this.application.get(ENDPOINT)
			.body()
			.get("features")
			.valueStream()
			.collect(Collectors.toMap((line) -> line.get("feature").stringValue(),
					(line) -> line.get("state").stringValue()));
		assertThat(states).containsEntry("perspectives", "unused")
			.containsEntry("fanout", "unused")
			.containsEntry("queues", "unused");
	}

	@Test
	void listsThisInstance() {
		Await.until("this instance",
				() -> this.application.get(ENDPOINT + "/instances")
					.body()
					.get("instances")
					.valueStream()
					.anyMatch((instance) -> instance.get("here").booleanValue() && instance.get("workers").size() > 0));
	}

	@Test
	void pausesAWorkerUntilItIsResumed() {
		Answer paused = this.application.post(ENDPOINT + "/workers/outbox/pause",
				"{\"who\":\"ada\",\"note\":\"tired\"}");
		assertThat(paused.status()).isEqualTo(200);
		JsonNode pause = worker(paused, "outbox").get("paused");
		assertThat(pause.get("by").stringValue()).isEqualTo("ada");
		assertThat(pause.get("note").stringValue()).isEqualTo("tired");
		Await.until("a pause", () -> state("outbox").equals("paused"));
		assertThat(state("jobs")).isEqualTo("running");
		assertThat(this.application.post(ENDPOINT + "/workers/outbox/resume", "{}").status()).isEqualTo(200);
		Await.until("work", () -> state("outbox").equals("running"));
	}

	@ParameterizedTest
	@CsvSource({ "perspectives", "jobs", "fanout" })
	void pausesWorkersThatHaveNoQueue(String name) {
		String before = state(name);
		assertThat(this.application.post(ENDPOINT + "/workers/" + name + "/pause", "{}").status()).isEqualTo(200);
		Await.until("a pause", () -> state(name).equals("paused"));
		assertThat(this.application.post(ENDPOINT + "/workers/" + name + "/resume", "{}").status()).isEqualTo(200);
		Await.until("as before", () -> state(name).equals(before));
	}

	@Test
	void listsNoBlockedStreamsWhenThereAreNone() {
		assertThat(this.application.get(ENDPOINT + "/blocked/outbox").body().get("streams")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"GET|/nonsense|The part must be one of instances, workers and blocked/{queue} but is 'nonsense'",
			"GET|/blocked/outbux|The queue must be one of [outbox, inbox, perspectives, queues] but is 'outbux'",
			"GET|/blocked/queues|Keys of work queues that wait are shown by whizbangqueues/{name}",
			"GET|/blocked/outbox?limit=0|The limit must be from 1 to 1000 but is 0",
			"GET|/blocked/outbox?after=x|The parameter after must be what next was on the page before but is 'x'",
			"POST|/workers/outbox/explode|The action must be one of pause and resume but is 'explode'",
			"POST|/workers/post/pause|but is 'post'" })
	void saysWhatIsWrong(String method, String path, String error) {
		Answer answer = method.equals("GET") ? this.application.get(ENDPOINT + path)
				: this.application.post(ENDPOINT + path, "{}");
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.error()).contains(error);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void nobodyForgesLinesOfTheLog(CapturedOutput output) {
		String forger = "{\"who\":\"ada\\nFORGED\",\"note\":\"tired\\nFORGED\"}";
		this.application.post(ENDPOINT + "/workers/jobs/pause", forger);
		Await.until("a pause", () -> state("jobs").equals("paused"));
		this.application.post(ENDPOINT + "/workers/jobs/resume", forger);
		Await.until("work", () -> state("jobs").equals("running"));
		assertThat(output.getOut()).contains("ada?FORGED").doesNotContain("\nFORGED");
	}

	private String state(String name) {
		return worker(this.application.get(ENDPOINT + "/workers"), name).get("state").stringValue();
	}

	private static JsonNode worker(Answer answer, String name) {
		return answer.body()
			.get("workers")
			.valueStream()
			.filter((worker) -> worker.get("name").stringValue().equals(name))
			.findFirst()
			.orElseThrow();
	}

}
