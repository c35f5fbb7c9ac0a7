package io.whizbang.docs.sample;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.whizbang.fanout.FanoutCandidate;
import io.whizbang.fanout.FanoutCursor;
import io.whizbang.fanout.FanoutHandler;
import io.whizbang.fanout.FanoutPlanner;
import io.whizbang.fanout.FanoutPolicy;
import io.whizbang.fanout.FanoutSchedule;
import io.whizbang.fanout.FanoutSlice;
import io.whizbang.fanout.Fanouts;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Samples of the page about fan-outs. */
class TenantStatements {

	private final Fanouts fanouts;

	TenantStatements(Fanouts fanouts) {
		this.fanouts = fanouts;
	}

	// tag::operate[]
	List<FanoutCursor> operate() {
		this.fanouts.setPolicy("statements", "monthly", new FanoutPolicy(Duration.ofDays(7), Duration.ofMinutes(30)));
		this.fanouts.resetPolicy("statements", "monthly");
		this.fanouts.runNow("statements");
		return this.fanouts.cursors("statements", null, 100);
	}
	// end::operate[]

	// tag::planner[]
	static class StatementPlanner implements FanoutPlanner {

		private final JdbcTemplate jdbc;

		StatementPlanner(DataSource dataSource) {
			this.jdbc = new JdbcTemplate(dataSource);
			// Rows come in portions, and never are in memory all together.
			this.jdbc.setFetchSize(500);
		}

		@Override
		public String topic() {
			return "statements";
		}

		@Override
		public Stream<FanoutCandidate> candidates() {
			return this.jdbc.queryForStream("select id from tenant where active",
					(rows, number) -> new FanoutCandidate(rows.getString(1), "monthly"));
		}

		@Override
		public FanoutSchedule schedule(FanoutSchedule configured) {
			return configured.withCron("0 2 1 * *", "Europe/Berlin")
				.withPolicy(Duration.ofDays(20), Duration.ofMinutes(30));
		}

	}
	// end::planner[]

	// tag::handler[]
	static class StatementWriter {

		private final JdbcClient jdbc;

		StatementWriter(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@FanoutHandler(topic = "statements", workKey = "monthly")
		void write(FanoutSlice slice) {
			this.jdbc.sql("insert into statement (tenant, since, until) values (?, ?, ?)")
				.params(slice.shardKey(), time(slice.windowStart()), time(slice.windowEnd()))
				.update();
		}

		private static @Nullable Timestamp time(@Nullable Instant instant) {
			return (instant != null) ? Timestamp.from(instant) : null;
		}

	}
	// end::handler[]

}
