package io.whizbang.autoconfigure.health;

import io.whizbang.job.JobWorker;
import io.whizbang.job.Jobs;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class JobHealthIndicatorTests {

	private final JobWorker worker = mock(JobWorker.class);

	private final JobHealthIndicator indicator = new JobHealthIndicator(this.worker, mock(Jobs.class),
			new HealthProperties(3, null, null, null, null, null));

	@Test
	void isDownAfterSoManyFailedRoundsInARow() {
		given(this.worker.state()).willReturn("running");
		given(this.worker.isRunning()).willReturn(true);
		given(this.worker.consecutiveFailures()).willReturn(2, 2, 3);
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.UP);
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsEntry("failedRounds", 3).containsKey("reason");
	}

	@Test
	void isUnknownWhereNothingRuns() {
		given(this.worker.state()).willReturn("stopped");
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health.getDetails()).containsEntry("state", "STOPPED");
	}

}
