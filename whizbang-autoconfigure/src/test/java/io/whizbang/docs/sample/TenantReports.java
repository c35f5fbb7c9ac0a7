package io.whizbang.docs.sample;

import java.time.Duration;
import java.util.List;

import io.whizbang.job.JobDefinition;
import io.whizbang.job.JobHandler;
import io.whizbang.job.JobRun;
import io.whizbang.job.Jobs;
import io.whizbang.job.Misfire;
import io.whizbang.job.RunRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.annotation.Transactional;

class TenantReports {

	private final Jobs jobs;

	TenantReports(Jobs jobs) {
		this.jobs = jobs;
	}

	// tag::create[]
	@Transactional
	public void tenantSignedUp(Tenant tenant) {
		this.jobs.createOrUpdate(JobDefinition.of("report-" + tenant.id())
			.handler("tenant-report")
			.cron("0 6 * * MON-FRI")
			.zone(tenant.zone())
			.payload(tenant)
			.misfire(Misfire.SKIP)
			.build());
	}
	// end::create[]

	// tag::operate[]
	List<RunRecord> operate(String job) {
		this.jobs.disable(job);
		this.jobs.enable(job);
		this.jobs.triggerNow(job);
		return this.jobs.runs(job, 10);
	}
	// end::operate[]

	// tag::topic[]
	void remind() {
		this.jobs
			.createOrUpdate(JobDefinition.of("reminders").topic("reminders.due").every(Duration.ofHours(1)).build());
	}
	// end::topic[]

	record Tenant(String id, String zone) {
	}

	// tag::handler[]
	static class TenantReport implements JobHandler<Tenant> {

		@Override
		public String name() {
			return "tenant-report";
		}

		@Override
		public void run(@Nullable Tenant tenant, JobRun run) {
			// write the report of this tenant for run.scheduledAt()
		}

	}
	// end::handler[]

}
