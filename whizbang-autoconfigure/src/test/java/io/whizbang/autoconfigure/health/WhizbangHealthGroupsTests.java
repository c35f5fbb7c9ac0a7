package io.whizbang.autoconfigure.health;

import java.util.Map;

import io.whizbang.autoconfigure.Unsecured;
import io.whizbang.autoconfigure.endpoint.HttpCalls;
import io.whizbang.outbox.Outbox;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A running application with the groups of docs/operations, and with a backlog.
 */
@PostgresTest
class WhizbangHealthGroupsTests {

	@Test
	void aBacklogBeyondItsLimitIsSeenAndLeavesLivenessAndReadinessAlone(PostgresDatabase database) {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.SERVLET)
			.bannerMode(Banner.Mode.OFF)
			.properties(Unsecured.PROPERTY, "server.port=0", "spring.datasource.url=" + database.jdbcUrl(),
					"spring.datasource.username=" + database.server().username(),
					"spring.datasource.password=" + database.server().password(), "spring.liquibase.enabled=false",
					"spring.flyway.enabled=false", "whizbang.health.max-oldest-age=1ms",
					"management.endpoint.health.probes.enabled=true",
					"management.endpoint.health.group.work.include=whizbang")
			.run()) {
			HttpCalls http = new HttpCalls(application);
			assertThat(status(http, "/work")).isEqualTo(200);
			// Nobody takes it.
			application.getBean(Outbox.class).enqueue("nowhere", "an order");
			Await.until("health that is down", () -> status(http, "/work") == 503);
			assertThat(status(http, "")).isEqualTo(503);
			assertThat(status(http, "/liveness")).isEqualTo(200);
			assertThat(status(http, "/readiness")).isEqualTo(200);
			// What changes things is not to be had unless somebody exposes it.
			assertThat(http.send("GET", "/actuator/whizbangdeadletters", Map.of(), "").status()).isEqualTo(404);
			assertThat(http
				.send("POST", "/actuator/whizbangdeadletters", Map.of("Content-Type", "application/json"),
						"{\"action\": \"discard\"}")
				.status()).isEqualTo(404);
		}
	}

	private static int status(HttpCalls http, String group) {
		return http.send("GET", "/actuator/health" + group, Map.of(), "").status();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
