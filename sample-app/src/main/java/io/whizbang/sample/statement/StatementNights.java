package io.whizbang.sample.statement;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import io.whizbang.join.JoinResult;
import io.whizbang.outbox.OutboxHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Tells the shop how a night went, when all its statements are written or have failed.
 */
@Component
class StatementNights {

	static final String TOPIC = "statements-written";

	private static final Logger logger = LoggerFactory.getLogger(StatementNights.class);

	private final JdbcClient jdbc;

	StatementNights(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Sends the summary, which this shop only writes down. The message may come twice;
	 * the join it follows is the same then.
	 */
	@OutboxHandler(topic = TOPIC)
	@Transactional
	public void summarise(JoinResult night) {
		Instant until = Instant.parse(night.metadata().get("until"));
		int written = this.jdbc.sql("""
				insert into statement_night (id, until, written, failed) values (?, ?, ?, ?)
				on conflict (id) do nothing""")
			.params(UUID.fromString(night.join()), Timestamp.from(until), night.done(), night.failed())
			.update();
		if (written > 0) {
			logger.info("Mail to the shop: {} statements until {} are written, {} have failed", night.done(), until,
					night.failed());
		}
	}

	/**
	 * Reads how the last nights went.
	 * @return the newest first
	 */
	@Transactional(readOnly = true)
	public List<StatementNight> last() {
		return this.jdbc.sql("select until, written, failed from statement_night order by until desc limit 30")
			.query(StatementNight.class)
			.list();
	}

}
