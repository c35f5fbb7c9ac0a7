package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.whizbang.message.JsonMessageCodec;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.PostgresDatabase;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database without fan-outs, a clock that can be set, and instances of applications.
 */
final class FanoutFixture implements AutoCloseable {

	static final String SCHEMA = SchemaSettings.defaults().name();

	static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

	static final FanoutSettings SETTINGS = FanoutSettings.defaults()
		.withPoll(Duration.ofMillis(100), Duration.ofMillis(100));

	final PostgresDatabase database;

	final JdbcTemplate jdbc;

	final DatabaseClock clock;

	private final List<FanoutInstance> instances = new CopyOnWriteArrayList<>();

	FanoutFixture(PostgresDatabase database) {
		this.database = database;
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.jdbc = database.jdbc();
		this.jdbc.execute(
				"""
						truncate whizbang.wh_fanout_topics, whizbang.wh_fanout_policies, whizbang.wh_fanout_cursors, whizbang.wh_leases,
						    whizbang.wh_messages, whizbang.wh_claims, whizbang.wh_scheduled, whizbang.wh_dead_letters,
						    whizbang.wh_dead_letter_audit, whizbang.wh_joins, whizbang.wh_join_members, whizbang.wh_join_reports""");
		this.clock = new DatabaseClock(database.unpooledDataSource());
		this.clock.set(NOON);
	}

	/** An instance that works when told to, by the clock of the test. */
	FanoutInstance manual(FanoutPlanner... planners) {
		return manual(SETTINGS, planners);
	}

	FanoutInstance manual(FanoutSettings settings, FanoutPlanner... planners) {
		return add(
				new FanoutInstance(this.database.createPool(6), "app", settings, this.clock, Runnable::run, planners));
	}

	/** An instance that is to be started, and goes by the database's clock. */
	FanoutInstance prepare(String service, FanoutSettings settings, FanoutPlanner... planners) {
		return add(new FanoutInstance(this.database.createPool(6), service, settings, () -> null, null, planners));
	}

	private FanoutInstance add(FanoutInstance instance) {
		this.instances.add(instance);
		return instance;
	}

	/** Asked every ten minutes, always due, without jitter. */
	static FanoutPlanner planner(String topic, Supplier<Stream<FanoutCandidate>> candidates) {
		return planner(topic,
				FanoutSchedule.defaults()
					.withInterval(Duration.ofMinutes(10))
					.withPolicy(Duration.ofMinutes(10), Duration.ZERO),
				candidates);
	}

	static FanoutPlanner planner(String topic, FanoutSchedule schedule, Supplier<Stream<FanoutCandidate>> candidates) {
		return new FanoutPlanner() {

			@Override
			public String topic() {
				return topic;
			}

			@Override
			public Stream<FanoutCandidate> candidates() {
				return candidates.get();
			}

			@Override
			public FanoutSchedule schedule(FanoutSchedule configured) {
				return schedule;
			}

		};
	}

	static Supplier<Stream<FanoutCandidate>> shards(int count) {
		return () -> IntStream.range(0, count).mapToObj((i) -> new FanoutCandidate("shard-" + i, "work"));
	}

	static FanoutPlanner shards(String topic, String... shards) {
		return planner(topic, () -> Stream.of(shards).map((shard) -> new FanoutCandidate(shard, "work")));
	}

	/** What waits in the outbox: topic, shard, and window. */
	List<String> waiting() {
		return this.jdbc.queryForList(
				"""
						select concat_ws(' ', m.topic, m.payload::json ->> 'shardKey', coalesce(m.payload::json ->> 'windowStart', 'first'),
						    m.payload::json ->> 'windowEnd')
						from whizbang.wh_outbox m order by m.seq""",
				String.class);
	}

	int count(String sql, Object... arguments) {
		Integer count = this.jdbc.queryForObject(sql, Integer.class, arguments);
		return (count != null) ? count : 0;
	}

	List<FanoutCursor> cursors(FanoutInstance instance, String topic) {
		List<FanoutCursor> all = new ArrayList<>();
		List<FanoutCursor> page = instance.fanouts.cursors(topic, null, 1000);
		while (!page.isEmpty()) {
			all.addAll(page);
			page = instance.fanouts.cursors(topic, page.get(page.size() - 1), 1000);
		}
		return all;
	}

	static JsonMessageCodec codec() {
		return new JsonMessageCodec(JsonMapper.shared());
	}

	@Override
	public void close() {
		this.instances.forEach(FanoutInstance::close);
	}

}
