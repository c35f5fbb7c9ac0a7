package io.whizbang.join;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.whizbang.message.MessageId;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.PostgresDatabase;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database without joins, a clock that can be set, and instances of applications.
 */
final class JoinFixture implements AutoCloseable {

	static final String SCHEMA = SchemaSettings.defaults().name();

	static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

	final PostgresDatabase database;

	final JdbcTemplate jdbc;

	final DatabaseClock clock;

	private final List<JoinInstance> instances = new ArrayList<>();

	JoinFixture(PostgresDatabase database) {
		this.database = database;
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.jdbc = database.jdbc();
		this.jdbc.execute("""
				truncate whizbang.wh_joins, whizbang.wh_join_members, whizbang.wh_join_reports, whizbang.wh_messages,
				    whizbang.wh_claims, whizbang.wh_scheduled, whizbang.wh_dead_letters, whizbang.wh_dead_letter_audit,
				    whizbang.wh_service_instances cascade""");
		this.clock = new DatabaseClock(database.unpooledDataSource());
	}

	JoinInstance instance() {
		JoinInstance instance = new JoinInstance(this);
		this.instances.add(instance);
		return instance;
	}

	/** Where the chance of a test comes from. */
	static long seed(Class<?> test) {
		long seed = Long.getLong("whizbang.storm.seed", System.nanoTime());
		System.out.println(test.getSimpleName() + ": -Dwhizbang.storm.seed=" + seed);
		return seed;
	}

	/** Messages to "work"; those to "poison" fail for good. */
	static List<OutboxMessage> messages(String topic, int count) {
		return IntStream.range(0, count).mapToObj((n) -> OutboxMessage.to(topic, n).build()).toList();
	}

	static List<String> names(List<MessageId> ids) {
		return ids.stream().map(MessageId::toString).toList();
	}

	/** What has followed, in the outbox or delivered from there. */
	List<JoinResult> followedIn(String topic) {
		return this.jdbc
			.queryForList("select payload from whizbang.wh_outbox where topic = ? order by seq", String.class, topic)
			.stream()
			.map((payload) -> JsonMapper.shared().readValue(payload, JoinResult.class))
			.toList();
	}

	int count(String sql, Object... arguments) {
		Integer count = this.jdbc.queryForObject(sql, Integer.class, arguments);
		return (count != null) ? count : 0;
	}

	@Override
	public void close() {
		this.instances.forEach(JoinInstance::close);
	}

}
