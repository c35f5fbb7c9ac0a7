package io.whizbang.autoconfigure.endpoint;

import java.time.Duration;
import java.util.Map;

import io.whizbang.autoconfigure.endpoint.HttpCalls.Answer;
import io.whizbang.job.JobDefinition;
import io.whizbang.job.Jobs;
import io.whizbang.lease.Lease;
import io.whizbang.lease.Leases;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.timer.NewTimer;
import io.whizbang.timer.TimerId;
import io.whizbang.timer.Timers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators do over HTTP with timers, jobs and leases, as the documentation has it.
 */
@PostgresTest
class TimeEndpointsTests {

	private static LettersApplication application;

	@BeforeAll
	static void start(PostgresDatabase database) {
		application = new LettersApplication(database,
				"management.endpoints.web.exposure.include=whizbangtimers,whizbangjobs,whizbangleases");
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void timersAreCountedAndCancelled() {
		Timers timers = application.bean(Timers.class);
		TimerId id = timers.schedule("reminders", 1, Duration.ofDays(1));
		timers.schedule(NewTimer.to("reminders", 2).key("order-2").after(Duration.ofDays(2)).build());
		assertThat(send("GET", "timers").body().path("pending").asInt()).isEqualTo(2);
		assertThat(send("GET", "timers/" + id).body().path("timers").path(0).path("payload").asString()).isEqualTo("1");
		assertThat(send("DELETE", "timers/" + id).status()).isEqualTo(204);
		assertThat(send("DELETE", "timers/" + id).status()).isEqualTo(404);
		assertThat(send("DELETE", "timers?key=order-2").status()).isEqualTo(204);
		assertThat(send("GET", "timers?key=order-2").error()).contains("\"order-2\"");
		assertThat(send("DELETE", "timers").status()).isEqualTo(400);
		assertThat(timers.count(10)).isZero();
	}

	@Test
	void jobsAreListedTriggeredPausedAndResumed() {
		Jobs jobs = application.bean(Jobs.class);
		jobs.createOrUpdate(
				JobDefinition.of("report").topic("orders").cron("0 12 * * *").zone("Europe/Berlin").build());
		jobs.createOrUpdate(JobDefinition.of("reports-of-others").cron("@daily").build());
		Answer list = send("GET", "jobs");
		assertThat(list.body().path("jobs")).extracting((job) -> job.path("name").asString())
			.containsExactly("report", "reports-of-others");
		assertThat(list.body().path("jobs")).extracting((job) -> job.path("handlerPresent").asBoolean())
			.containsExactly(true, false);
		assertThat(list.body().path("jobs").path(0).path("zone").asString()).isEqualTo("Europe/Berlin");
		assertThat(list.body().path("jobs").path(0).path("nextRun").asString()).matches(".*T1[01]:00:00Z");

		long run = send("POST", "jobs/report/trigger").body().path("triggered").asLong();
		Await.untilAsserted(() -> {
			Answer report = send("GET", "jobs/report");
			assertThat(report.body().path("runs").path(0).path("id").asLong()).isEqualTo(run);
			assertThat(report.body().path("runs").path(0).path("status").asString()).isEqualTo("succeeded");
		});
		assertThat(send("POST", "jobs/report/pause").status()).isEqualTo(200);
		assertThat(send("GET", "jobs/report").body().path("jobs").path(0).path("paused").asBoolean()).isTrue();
		assertThat(send("POST", "jobs/report/resume").status()).isEqualTo(200);
		assertThat(send("GET", "jobs/report").body().path("jobs").path(0).path("paused").asBoolean()).isFalse();
		assertThat(send("POST", "jobs/report/explode").error()).contains("explode");
		assertThat(send("POST", "jobs/nothing/trigger").status()).isEqualTo(404);
	}

	@Test
	void leasesAreListed() {
		try (Lease lease = application.bean(Leases.class).tryAcquire("report", Duration.ofMinutes(1)).orElseThrow()) {
			assertThat(send("GET", "leases").body().path("leases")).extracting((held) -> held.path("name").asString())
				.containsExactly("report");
			assertThat(send("GET", "leases/report").body().path("token").asLong()).isEqualTo(lease.token());
		}
		assertThat(send("GET", "leases/report").status()).isEqualTo(404);
	}

	@ParameterizedTest
	@ValueSource(strings = { "timers?topic=%00", "jobs?after=%00", "leases?after=%00" })
	void aCharacterThatTheDatabaseCannotReadIsTheCallersFault(String what) {
		Answer answer = send("GET", what);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.error()).contains("U+0000");
	}

	private static Answer send(String method, String what) {
		return application.send(method, "/actuator/whizbang" + what, Map.of("Content-Type", "application/json"), "");
	}

}
