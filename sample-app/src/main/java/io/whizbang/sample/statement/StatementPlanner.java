package io.whizbang.sample.statement;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.whizbang.fanout.FanoutCandidate;
import io.whizbang.fanout.FanoutPlanner;
import io.whizbang.fanout.FanoutSchedule;
import io.whizbang.join.NewJoin;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * Has a statement written for every customer, every night: one slice for each, over all
 * instances of the shop.
 */
@Component
@EnableConfigurationProperties(StatementPlanner.Settings.class)
class StatementPlanner implements FanoutPlanner {

	static final String TOPIC = "statements";

	static final String WORK = "nightly";

	private static final int FETCH_SIZE = 500;

	private final JdbcTemplate jdbc;

	private final Settings settings;

	StatementPlanner(DataSource dataSource, Settings settings) {
		this.jdbc = new JdbcTemplate(dataSource);
		// However many customers there are: they are not in memory all together.
		this.jdbc.setFetchSize(FETCH_SIZE);
		this.settings = settings;
	}

	@Override
	public String topic() {
		return TOPIC;
	}

	@Override
	public Stream<FanoutCandidate> candidates() {
		return this.jdbc.queryForStream("select distinct customer_id from customer_order",
				(rows, number) -> new FanoutCandidate(rows.getString(1), WORK));
	}

	@Override
	public FanoutSchedule schedule(FanoutSchedule configured) {
		return configured.withCron(this.settings.cron(), this.settings.zone())
			.withPolicy(Duration.ZERO, this.settings.jitter());
	}

	/** One mail in the morning, however many statements there are. */
	@Override
	public NewJoin join(Instant until) {
		return NewJoin.openEnded().whenEnded(StatementNights.TOPIC).metadata("until", until.toString()).build();
	}

	/**
	 * When statements are written.
	 *
	 * @param cron the time of night
	 * @param zone where it is night
	 * @param jitter over how long they are spread
	 */
	@ConfigurationProperties("shop.statement")
	record Settings(@DefaultValue("30 2 * * *") String cron, @DefaultValue("UTC") String zone,
			@DefaultValue("5m") Duration jitter) {
	}

}
