package io.whizbang.job;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that start while somebody's transaction is open.
 */
@PostgresTest
class JobStartTests {

	private final JobFixture fixture;

	private JobInstance user;

	private JobInstance app;

	JobStartTests(PostgresDatabase database) {
		this.fixture = new JobFixture(database);
	}

	@BeforeEach
	void setUp() {
		this.user = this.fixture.prepare("user", JobFixture.SETTINGS);
		this.app = this.fixture.prepare("app", JobFixture.SETTINGS,
				JobHandler.of("quick", String.class, (payload, run) -> {
				}));
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Test
	void aJobThatAnOpenTransactionHoldsKeepsNeitherTheStartNorOtherJobsWaiting() {
		this.user.jobs.createOrUpdate(job("changed", "@daily"));
		this.app.handlers.define(job("changed", "@hourly"));
		this.app.handlers.define(job("created", "@hourly"));
		this.app.handlers.define(JobDefinition.of("quick").every(Duration.ofMillis(100)).build());
		this.user.transaction().executeWithoutResult((status) -> {
			this.user.jobs.disable("changed");
			this.user.jobs.createOrUpdate(job("created", "@daily"));
			this.app.worker.start();
			Await.until("another job to run", () -> this.app.heard.ended.contains("quick SUCCEEDED"));
			assertThat(this.app.worker.consecutiveFailures()).isZero();
			assertThat(cron("changed")).isEqualTo("@daily");
		});
		for (String job : new String[] { "changed", "created" }) {
			Await.until("the definition of the code", () -> cron(job).equals("@hourly"));
		}
		assertThat(this.app.jobs.find("changed").orElseThrow().paused()).isTrue();
	}

	@Test
	void aJobThatIsAsTheCodeSaysIsNotWaitedFor() {
		this.user.jobs.createOrUpdate(job("same", "@daily"));
		this.user.transaction().executeWithoutResult((status) -> {
			this.user.jobs.disable("same");
			assertThat(CompletableFuture.supplyAsync(() -> this.app.jobs.createOrUpdate(job("same", "@daily"))))
				.succeedsWithin(Await.PATIENCE)
				.isEqualTo(JobChange.UNCHANGED);
		});
	}

	private String cron(String job) {
		return String.valueOf(this.app.jobs.find(job).orElseThrow().cron());
	}

	private static JobDefinition job(String name, String cron) {
		return JobDefinition.of(name).handler("quick").cron(cron).build();
	}

}
