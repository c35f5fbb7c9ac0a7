package io.whizbang.job;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.whizbang.process.ChildProcess;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that runs a job is killed, or frozen until somebody else has its run: the run
 * goes again elsewhere, once, and the one before changes nothing (G5, G8).
 */
@PostgresTest
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no SIGSTOP")
class JobProcessTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private final PostgresDatabase database;

	private final JobFixture fixture;

	private final List<JobRun> ran = new CopyOnWriteArrayList<>();

	private JobInstance here;

	private ChildProcess process;

	JobProcessTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new JobFixture(database);
	}

	@BeforeEach
	void begin() throws Exception {
		this.here = this.fixture.prepare("here", JobFixture.SETTINGS.withLease(LEASE),
				JobHandler.of("job", String.class, (payload, run) -> this.ran.add(run)));
		this.here.jobs.createOrUpdate(JobDefinition.of("job").build());
		this.here.jobs.triggerNow("job");
		this.process = ChildProcess.start(JobProcess.class, this.database, LEASE.toString());
		assertThat(this.process.answer()).isEqualTo("begun 1");
	}

	@AfterEach
	void end() throws Exception {
		this.process.kill();
		this.fixture.close();
	}

	@Test
	void theRunOfAProcessThatIsKilledGoesAgainElsewhere() throws Exception {
		this.process.kill();
		assertGoesAgainHere();
		assertThat(this.fixture.jdbc.queryForObject("select count(*) from whizbang.wh_job_runs", Integer.class))
			.isOne();
	}

	@Test
	void aProcessThatWakesWhenItsRunIsElsewhereIsInterruptedAndCanEndNothing() throws Exception {
		this.process.freeze();
		assertGoesAgainHere();
		this.process.wake();
		assertThat(this.process.answer()).isEqualTo("interrupted");
		assertThat(this.process.answer()).isEqualTo("lost 1");
		RunRecord run = this.here.jobs.runs("job", 1).get(0);
		assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
		assertThat(run.attempts()).isEqualTo(2);
		assertThat(run.instance()).startsWith("here@");
	}

	private void assertGoesAgainHere() {
		this.here.worker.start();
		Await.until("the run to be over", () -> this.fixture.statuses("job").equals(List.of("succeeded")));
		assertThat(this.ran).singleElement().satisfies((run) -> {
			assertThat(run.attempt()).isEqualTo(2);
			assertThat(run.token()).isEqualTo(2);
		});
	}

}
