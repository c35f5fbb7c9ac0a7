package io.whizbang.sample.sales;

import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

import io.whizbang.job.JobRun;
import io.whizbang.job.WhizbangJob;
import io.whizbang.perspective.Perspectives;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Writes down, every night and on one instance of the shop, what was sold the day before.
 */
@Component
class NightlyReport {

	static final String NAME = "nightly-report";

	private static final Logger logger = LoggerFactory.getLogger(NightlyReport.class);

	private final SalesPerDay sales;

	private final Perspectives perspectives;

	private final JdbcClient jdbc;

	private final ZoneId zone;

	NightlyReport(SalesPerDay sales, Perspectives perspectives, JdbcClient jdbc,
			@Value("${shop.report.zone}") ZoneId zone) {
		this.sales = sales;
		this.perspectives = perspectives;
		this.jdbc = jdbc;
		this.zone = zone;
	}

	/**
	 * Writes the report. Whoever triggers the job by day gets what was sold so far. A run
	 * that is repeated, because its instance died, writes the same once more.
	 */
	@WhizbangJob(name = NAME, cron = "${shop.report.cron}", zone = "${shop.report.zone}")
	@Transactional
	void write(JobRun run) {
		LocalDate day = run.triggered() ? LocalDate.ofInstant(run.scheduledAt(), ZoneOffset.UTC)
				: LocalDate.ofInstant(run.scheduledAt(), this.zone).minusDays(1);
		DaySales sold = this.sales.of(this.perspectives.serving(SalesPerDay.NAME), day);
		this.jdbc.sql("""
				insert into sales_report (day, orders, amount, written_at) values (?, ?, ?, now())
				on conflict (day) do update
				set orders = excluded.orders, amount = excluded.amount, written_at = excluded.written_at""")
			.params(sold.day(), sold.orders(), sold.amount())
			.update();
		logger.info("Report of {}: {} orders, {}", sold.day(), sold.orders(), sold.amount());
	}

	/**
	 * Reads the reports.
	 * @param limit how many at most
	 * @return the newest first
	 */
	@Transactional(readOnly = true)
	List<DaySales> newest(int limit) {
		return this.jdbc.sql("select day, orders, amount from sales_report order by day desc limit ?")
			.param(limit)
			.query(DaySales.class)
			.list();
	}

}
