package io.whizbang.autoconfigure.dashboard;

import java.net.http.HttpResponse;
import java.util.Map;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where there is Spring Security, nobody gets in who has not logged in, and nothing is
 * changed without its token.
 */
@PostgresTest
class DashboardSecurityTests {

	private static final String PAUSE = "/ops/board/api/whizbang/workers/outbox/pause";

	private static final Map<String, String> PAGE = Map.of(DashboardGate.HEADER, "1");

	private static SecuredApplication secured;

	private static SecuredApplication open;

	@BeforeAll
	static void start(PostgresDatabase database) {
		secured = new SecuredApplication(database, "whizbang.dashboard.path=/ops/board",
				"whizbang.dashboard.writable=true");
		open = new SecuredApplication(database, "spring.profiles.active=open", "whizbang.dashboard.role=OPS",
				"management.endpoint.whizbangjobs.access=none");
	}

	@AfterAll
	static void stop() {
		secured.close();
		open.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/ops/board", "/ops/board/", "/ops/board/app.js", "/ops/board/api/session",
			"/ops/board/api/whizbang", "/ops/board/api/whizbangdeadletters" })
	void refusesWhoHasNotLoggedIn(String path) {
		assertThat(secured.anonymous("GET", path, Map.of("Accept", "application/json")).statusCode()).isEqualTo(401);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/whizbang/", "/whizbang/app.js", "/whizbang/api/session", "/whizbang/api/whizbang" })
	void refusesThemAlsoWhereTheApplicationLetsEveryonePass(String path) {
		assertThat(open.anonymous("GET", path, Map.of()).statusCode()).isEqualTo(401);
		assertThat(open.ada("GET", path, Map.of()).statusCode()).isEqualTo(200);
	}

	@Test
	void servesThePageAtItsPathWithAStrictPolicy() {
		HttpResponse<String> redirect = secured.ada("GET", "/ops/board", Map.of());
		assertThat(redirect.statusCode()).isEqualTo(307);
		assertThat(redirect.headers().firstValue("Location")).hasValue("/ops/board/");
		HttpResponse<String> page = secured.ada("GET", "/ops/board/", Map.of());
		assertThat(page.body()).contains("<title>Whizbang</title>");
		assertThat(page.headers().firstValue("Content-Security-Policy"))
			.hasValueSatisfying((policy) -> assertThat(policy)
				.contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
				.doesNotContain("unsafe"));
		assertThat(secured.ada("GET", "/whizbang/", Map.of()).statusCode()).isEqualTo(404);
		assertThat(secured.ada("GET", "/ops/board/DashboardFiles.class", Map.of()).statusCode()).isEqualTo(404);
	}

	@Test
	void everyFileOfThePageIsServed() {
		for (String name : DashboardFiles.NAMES) {
			String path = "/ops/board/" + (name.equals(DashboardFiles.INDEX) ? "" : name);
			assertThat(secured.ada("GET", path, Map.of()).statusCode()).as(name).isEqualTo(200);
		}
	}

	@Test
	void changesNothingWithoutTheToken() {
		// Spring Security looks at the token first, and at the password then.
		assertThat(secured.ada("POST", PAUSE, PAGE).statusCode()).isEqualTo(401);
		JsonNode session = JsonMapper.shared().readTree(secured.ada("GET", "/ops/board/api/session", Map.of()).body());
		assertThat(session.get("user").stringValue()).isEqualTo("ada");
		assertThat(session.get("sections").get("whizbang").asBoolean()).isTrue();
		JsonNode csrf = session.get("csrf");
		String header = csrf.get("header").stringValue();
		String token = csrf.get("token").stringValue();
		assertThat(secured.ada("POST", PAUSE, Map.of(header, token)).statusCode()).as("without the page's header")
			.isEqualTo(403);
		HttpResponse<String> paused = secured.ada("POST", PAUSE, Map.of(header, token, DashboardGate.HEADER, "1"));
		assertThat(paused.statusCode()).isEqualTo(200);
		assertThat(paused.body()).contains("\"by\":\"ada\"");
		assertThat(
				secured.ada("POST", PAUSE.replace("pause", "resume"), Map.of(header, token, DashboardGate.HEADER, "1"))
					.statusCode())
			.isEqualTo(200);
	}

	@Test
	void changesNothingUnlessItIsWritable() {
		HttpResponse<String> refused = open.ada("POST", "/whizbang/api/whizbang/workers/outbox/pause", PAGE);
		assertThat(refused.statusCode()).isEqualTo(403);
		assertThat(refused.body()).contains("whizbang.dashboard.writable");
	}

	@Test
	void showsNothingThatTheEndpointDoesNotPermit() {
		assertThat(open.ada("GET", "/whizbang/api/whizbangjobs", Map.of()).statusCode()).isEqualTo(404);
		JsonNode sections = JsonMapper.shared()
			.readTree(open.ada("GET", "/whizbang/api/session", Map.of()).body())
			.get("sections");
		assertThat(sections.has("whizbangjobs")).isFalse();
		assertThat(sections.get("whizbangdeadletters").asBoolean()).isFalse();
	}

	@Test
	void answersInItsOwnWordsToABadRequest() {
		HttpResponse<String> answer = secured.ada("GET", "/ops/board/api/whizbang/nonsense", Map.of());
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).contains("The part must be one of instances, workers and blocked/{queue}");
	}

}
