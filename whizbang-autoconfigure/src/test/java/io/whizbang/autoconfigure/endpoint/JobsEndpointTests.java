package io.whizbang.autoconfigure.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.whizbang.job.JobStatus;
import io.whizbang.job.Jobs;
import io.whizbang.job.Misfire;
import io.whizbang.job.RunRecord;
import io.whizbang.job.RunStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

@ExtendWith(OutputCaptureExtension.class)
class JobsEndpointTests {

	private static final Instant NOON = Instant.parse("2030-03-10T12:00:00Z");

	private final Jobs jobs = mock(Jobs.class);

	private final JobsEndpoint endpoint = new JobsEndpoint(this.jobs);

	JobsEndpointTests() {
		RunRecord run = new RunRecord(7, "nightly", NOON, false, RunStatus.FAILED, 3, NOON, NOON, NOON.plusMillis(250),
				"out of paper", "app@host:1");
		JobStatus job = new JobStatus("nightly", "nightly", null, "@daily", null, "UTC", true, false, Misfire.COALESCE,
				1, false, NOON.plusSeconds(60), NOON, 0, true, run, null, true, NOON, Duration.ZERO, "app", NOON);
		given(this.jobs.list(null, 50)).willReturn(List.of(job));
		given(this.jobs.find("nightly")).willReturn(Optional.of(job));
		given(this.jobs.runs("nightly", 9L, 20)).willReturn(List.of(run));
	}

	@Test
	void showsHowJobsStand() {
		assertThat(body(this.endpoint.list(null, null)).jobs()).singleElement().satisfies((job) -> {
			assertThat(job.name()).isEqualTo("nightly");
			assertThat(job.nextRun()).isEqualTo(NOON.plusSeconds(60));
			assertThat(job.misfire()).isEqualTo("coalesce");
			assertThat(job.lastRun()).isNotNull();
		});
	}

	@Test
	void showsTheRunsOfAJob() {
		assertThat(body(this.endpoint.show("nightly", "9", "20")).runs()).singleElement().satisfies((run) -> {
			assertThat(run.id()).isEqualTo(7);
			assertThat(run.status()).isEqualTo("failed");
			assertThat(run.durationMs()).isEqualTo(250);
			assertThat(run.error()).isEqualTo("out of paper");
		});
	}

	@Test
	void triggersPausesAndResumes() {
		given(this.jobs.triggerNow("nightly")).willReturn(8L);
		assertThat(body(this.endpoint.act("nightly", "trigger", SecurityContext.NONE)).triggered()).isEqualTo(8);
		assertThat(this.endpoint.act("nightly", "pause", SecurityContext.NONE).getStatus()).isEqualTo(200);
		assertThat(this.endpoint.act("nightly", "resume", SecurityContext.NONE).getStatus()).isEqualTo(200);
		verify(this.jobs).disable("nightly");
		verify(this.jobs).enable("nightly");
	}

	@Test
	void saysWhatIsWrong() {
		assertThat(this.endpoint.act("nightly", "explode", SecurityContext.NONE).getStatus()).isEqualTo(400);
		assertThat(this.endpoint.act("daily", "pause", SecurityContext.NONE).getStatus()).isEqualTo(404);
		assertThat(this.endpoint.show("daily", null, null).getStatus()).isEqualTo(404);
		assertThat(this.endpoint.show("nightly", "x", null).getStatus()).isEqualTo(400);
		willThrow(new IllegalStateException("no outbox")).given(this.jobs).triggerNow("nightly");
		assertThat(this.endpoint.act("nightly", "trigger", SecurityContext.NONE).getStatus()).isEqualTo(409);
	}

	@Test
	void logsWhoChangedWhat(CapturedOutput output) {
		SecurityContext ada = mock(SecurityContext.class);
		given(ada.getPrincipal()).willReturn(() -> "ada\nroot");
		this.endpoint.act("nightly", "pause", ada);
		assertThat(output).contains("ada?root: pause of the job \"nightly\"");
	}

	private static JobsBody body(WebEndpointResponse<?> response) {
		assertThat(response.getBody()).isInstanceOf(JobsBody.class);
		return (JobsBody) response.getBody();
	}

}
