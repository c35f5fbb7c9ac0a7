package io.whizbang.docs.sample;

import java.time.LocalDate;
import java.time.ZoneId;

import io.whizbang.job.JobRun;
import io.whizbang.job.WhizbangJob;

import org.springframework.jdbc.core.simple.JdbcClient;

// tag::method[]
class Reports {

	private final JdbcClient jdbc;

	Reports(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@WhizbangJob(name = "nightly-report", cron = "0 30 2 * * *", zone = "Europe/Berlin")
	void nightly(JobRun run) {
		LocalDate day = LocalDate.ofInstant(run.scheduledAt(), ZoneId.of("Europe/Berlin")).minusDays(1);
		this.jdbc.sql("insert into report (day) values (?) on conflict do nothing").param(day).update();
	}

	@WhizbangJob(name = "clean-up", every = "10m")
	void cleanUp() {
		this.jdbc.sql("delete from draft where created_at < now() - interval '1 day'").update();
	}

}
// end::method[]
