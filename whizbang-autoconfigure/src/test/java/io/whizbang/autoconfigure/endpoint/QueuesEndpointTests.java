package io.whizbang.autoconfigure.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;

import io.whizbang.autoconfigure.endpoint.HttpCalls.Answer;
import io.whizbang.queue.QueueBatch;
import io.whizbang.queue.QueueConsumer;
import io.whizbang.queue.WorkQueue;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint over HTTP, in a running application.
 */
@PostgresTest
class QueuesEndpointTests {

	private static final String QUEUES = "/actuator/whizbangqueues";

	private static ConfigurableApplicationContext context;

	private static HttpCalls http;

	private final WorkQueue queue = context.getBean(WorkQueue.class);

	@BeforeAll
	static void start(PostgresDatabase database) {
		context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.bannerMode(Banner.Mode.OFF)
			.properties("server.port=0", "spring.datasource.url=" + database.jdbcUrl(),
					"spring.datasource.username=postgres", "spring.jpa.open-in-view=false",
					"spring.liquibase.enabled=false", "spring.flyway.enabled=false",
					"management.endpoints.web.exposure.include=whizbangqueues")
			.run();
		http = new HttpCalls(context);
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void listsQueuesPageByPage() {
		this.queue.enqueue("listed-a", "k", 1);
		this.queue.enqueue("listed-a", "k", 2);
		this.queue.enqueue("listed-b", 3);
		Answer first = get("?after=listed&limit=1");
		assertThat(first.status()).isEqualTo(200);
		assertThat(names(first)).containsExactly("listed-a");
		JsonNode queue = first.body().get("queues").get(0);
		assertThat(queue.get("messages").intValue()).isEqualTo(2);
		assertThat(queue.get("readyKeys").intValue()).isEqualTo(1);
		assertThat(queue.get("oldestMillis").longValue()).isNotNegative();
		assertThat(queue.get("paused").booleanValue()).isFalse();
		assertThat(names(get("?after=listed-a&limit=1"))).containsExactly("listed-b");
		assertThat(names(get(""))).contains("consumed", "listed-a", "listed-b");
	}

	@Test
	void showsLockedAndWaitingKeys() {
		this.queue.enqueue("locked", "k", 1);
		QueueBatch batch = this.queue.dequeueBatch("locked").orElseThrow();
		JsonNode locked = get("/locked").body();
		assertThat(locked.get("queues").get(0).get("lockedKeys").intValue()).isEqualTo(1);
		assertThat(locked.get("keys")).hasSize(1);
		assertThat(locked.get("keys").get(0).get("key").stringValue()).isEqualTo("k");
		assertThat(locked.get("keys").get(0).get("locked").booleanValue()).isTrue();
		assertThat(locked.get("keys").get(0).get("holder").stringValue()).isNotBlank();
		this.queue.abandon(batch, Duration.ofHours(1));
		JsonNode waiting = get("/locked").body();
		assertThat(waiting.get("queues").get(0).get("waitingKeys").intValue()).isEqualTo(1);
		assertThat(waiting.get("keys").get(0).get("locked").booleanValue()).isFalse();
	}

	@Test
	void pausesAndResumes() {
		Answer paused = post("/consumed/pause");
		assertThat(paused.status()).isEqualTo(200);
		assertThat(paused.body().get("queues").get(0).get("paused").booleanValue()).isTrue();
		assertThat(paused.body().get("queues").get(0).get("pausedBy").stringValue()).isEqualTo("actuator");
		this.queue.enqueue("consumed", "k", "a");
		assertThat(this.queue.dequeueBatch("consumed")).isEmpty();
		assertThat(get("/consumed").body().get("queues").get(0).get("messages").intValue()).isEqualTo(1);
		Answer resumed = post("/consumed/resume");
		assertThat(resumed.body().get("queues").get(0).get("paused").booleanValue()).isFalse();
		assertThat(resumed.body().get("queues").get(0).has("pausedBy")).isFalse();
		Await.until("it is consumed", () -> context.getBean(Application.class).seen.contains("a"));
	}

	@Test
	void saysWhatIsWrong() {
		assertThat(get("/nobody").status()).isEqualTo(404);
		assertThat(get("/nobody").error()).isEqualTo("There is no work queue \"nobody\"");
		assertThat(post("/nobody/pause").status()).isEqualTo(404);
		assertThat(post("/nobody/resume").status()).isEqualTo(404);
		assertThat(get("/nobody").status()).as("it was not paused").isEqualTo(404);
		assertThat(post("/consumed/explode").status()).isEqualTo(400);
		assertThat(post("/consumed/explode").error())
			.isEqualTo("The action must be one of pause and resume but is 'explode'");
		assertThat(get("?limit=0").status()).isEqualTo(400);
		assertThat(get("?limit=many").status()).isEqualTo(400);
	}

	private static Answer get(String path) {
		return http.send("GET", QUEUES + path, Map.of(), "");
	}

	private static Answer post(String path) {
		return http.send("POST", QUEUES + path, Map.of("Content-Type", "application/json"), "");
	}

	private static List<String> names(Answer answer) {
		return StreamSupport.stream(answer.body().get("queues").spliterator(), false)
			.map((queue) -> queue.get("name").stringValue())
			.toList();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { SecurityAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class,
			ServletWebSecurityAutoConfiguration.class, ManagementWebSecurityAutoConfiguration.class,
			SecurityFilterAutoConfiguration.class })
	static class Application {

		final List<String> seen = new CopyOnWriteArrayList<>();

		@QueueConsumer(queue = "consumed")
		void take(String message) {
			this.seen.add(message);
		}

	}

}
