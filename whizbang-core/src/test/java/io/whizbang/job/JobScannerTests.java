package io.whizbang.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class JobScannerTests {

	@Test
	void methodsDefineJobsAndAreTheirHandlers() {
		JobHandlers handlers = scan(Reports.class);
		assertThat(handlers.names()).containsExactly("Reports.often", "nightly", "on-demand");
		JobDefinition nightly = definition(handlers, "nightly");
		assertThat(nightly.cron()).isEqualTo("0 0 3 * * *");
		assertThat(nightly.zone()).isEqualTo("Europe/Berlin");
		assertThat(nightly.misfire()).isEqualTo(Misfire.CATCH_UP);
		assertThat(nightly.catchUpMax()).isEqualTo(5);
		assertThat(nightly.retry()).isEqualTo(JobSettings.defaultRetry().withMaxAttempts(7));
		JobDefinition often = definition(handlers, "Reports.often");
		assertThat(often.every()).isEqualTo(Duration.ofMinutes(10));
		assertThat(often.enabled()).isFalse();
		assertThat(often.overlap()).isTrue();
		assertThat(definition(handlers, "on-demand").cron()).isNull();
	}

	@Test
	void refusesWhatCannotWork() {
		assertThatIllegalStateException().isThrownBy(() -> scan(BadCron.class))
			.withMessageContaining("BadCron.run")
			.withMessageContaining("61 * * * *");
		assertThatIllegalStateException().isThrownBy(() -> scan(BadZone.class)).withMessageContaining("Mars/Base");
		assertThatIllegalStateException().isThrownBy(() -> scan(BadInterval.class)).withMessageContaining("soon");
		assertThatIllegalStateException().isThrownBy(() -> scan(NoTime.class)).withMessageContaining("when it runs");
		assertThatIllegalStateException().isThrownBy(() -> scan(TwoTimes.class)).withMessageContaining("not both");
		assertThatIllegalStateException().isThrownBy(() -> scan(Answers.class)).withMessageContaining("void");
		assertThatIllegalStateException().isThrownBy(() -> scan(Primitive.class)).withMessageContaining("primitive");
		assertThatIllegalStateException().isThrownBy(() -> scan(Maybe.class)).withMessageContaining("perhaps");
		assertThatIllegalStateException().isThrownBy(() -> scan(Reports.class, Twice.class))
			.withMessageContaining("\"nightly\"");
	}

	private static JobDefinition definition(JobHandlers handlers, String name) {
		return handlers.definitions().stream().filter((job) -> job.name().equals(name)).findFirst().orElseThrow();
	}

	private static JobHandlers scan(Class<?>... beans) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("test",
						Map.of("zone", "Europe/Berlin", "enabled", "false", "demand", "-")));
			JobHandlers handlers = new JobHandlers();
			List.of(beans).forEach((bean) -> context.registerBean(bean));
			context.refresh();
			new JobScanner(context.getBeanFactory(), handlers, JobSettings.defaultRetry())
				.afterSingletonsInstantiated();
			return handlers;
		}
	}

	static class Reports {

		@WhizbangJob(name = "nightly", cron = "0 0 3 * * *", zone = "${zone}", misfire = Misfire.CATCH_UP,
				catchUpMax = 5, maxAttempts = 7)
		void nightly(JobRun run, @Nullable String payload) {
		}

		@WhizbangJob(every = "10m", enabled = "${enabled}", overlap = true)
		void often() {
		}

		@WhizbangJob(name = "on-demand", cron = "${demand}")
		void onDemand() {
		}

	}

	static class BadCron {

		@WhizbangJob(cron = "61 * * * *")
		void run() {
		}

	}

	static class BadZone {

		@WhizbangJob(cron = "@daily", zone = "Mars/Base")
		void run() {
		}

	}

	static class BadInterval {

		@WhizbangJob(every = "soon")
		void run() {
		}

	}

	static class TwoTimes {

		@WhizbangJob(cron = "@daily", every = "1h")
		void run() {
		}

	}

	static class NoTime {

		@WhizbangJob
		void run() {
		}

	}

	static class Answers {

		@WhizbangJob(cron = "@daily")
		String run() {
			return "";
		}

	}

	static class Primitive {

		@WhizbangJob(cron = "@daily")
		void run(int payload) {
		}

	}

	static class Maybe {

		@WhizbangJob(cron = "@daily", enabled = "perhaps")
		void run() {
		}

	}

	static class Twice {

		@WhizbangJob(name = "nightly", cron = "@daily")
		void run() {
		}

	}

}
