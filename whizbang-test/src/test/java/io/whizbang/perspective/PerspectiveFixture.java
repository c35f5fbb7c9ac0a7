package io.whizbang.perspective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.event.Appended;
import io.whizbang.event.EventCodec;
import io.whizbang.event.EventMetadataSource;
import io.whizbang.event.EventSignal;
import io.whizbang.event.EventStore;
import io.whizbang.event.EventStoreSettings;
import io.whizbang.event.EventType;
import io.whizbang.event.EventTypes;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.event.JdbcEventStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.message.StreamId;
import io.whizbang.observation.EventObservations;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.RetryPolicy;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database with events, and a table that perspectives of the tests write to.
 */
final class PerspectiveFixture implements AutoCloseable {

	static final String SCHEMA = SchemaSettings.defaults().name();

	static final EventTypes TYPES = EventTypes.of(Noted.class, Closed.class);

	static final EventCodec CODEC = new EventCodec(TYPES, List.of(), new JsonMessageCodec(JsonMapper.shared()));

	static final CoordinatorSettings RULES = new CoordinatorSettings(Duration.ofMinutes(5), Duration.ofSeconds(1),
			Duration.ofSeconds(2), Duration.ofSeconds(5), 10_000, null, false, false);

	/** Nobody dies of a slow machine: who is to die says after how many attempts. */
	static final PerspectiveSettings SETTINGS = PerspectiveSettings.defaults()
		.withPoll(Duration.ofMillis(20), Duration.ofMillis(100), Duration.ofMillis(100))
		.withRetry(RetryPolicy.defaults()
			.withMaxAttempts(Integer.MAX_VALUE)
			.withDelays(Duration.ofMillis(30), Duration.ofMillis(100)))
		.withRetireAfter(PerspectiveSettings.MIN_RETIRE_AFTER);

	private static final String CHECKPOINT = """
			select %s from whizbang.wh_perspective_checkpoints c join whizbang.wh_perspectives r using (run_id)
			where c.stream_id = ? and r.name = 'p' and r.status = 1""";

	final PostgresDatabase database;

	final JdbcTemplate jdbc;

	final EventStore store;

	private final List<PerspectiveInstance> instances = new CopyOnWriteArrayList<>();

	private final List<EventSignal> signals = new CopyOnWriteArrayList<>();

	PerspectiveFixture(PostgresDatabase database) {
		this.database = database;
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.jdbc = new JdbcTemplate(database.dataSource());
		this.jdbc.execute(
				"""
						truncate whizbang.wh_events, whizbang.wh_streams, whizbang.wh_perspectives, whizbang.wh_perspective_shards,
						    whizbang.wh_perspective_checkpoints, whizbang.wh_perspective_mappings, whizbang.wh_service_instances,
						    whizbang.wh_perspective_members, whizbang.wh_dead_letters, whizbang.wh_dead_letter_audit""");
		this.jdbc.execute("drop table if exists applied");
		this.jdbc.execute(
				"""
						create table applied (id bigint generated always as identity, name text, run int, stream text, version bigint,
						    position bigint, instance text, tx xid8 default pg_current_xact_id())""");
		this.store = store(database.dataSource(),
				(appended) -> this.signals.forEach((each) -> each.appended(appended)));
	}

	static EventStore store(DataSource dataSource, EventSignal signal) {
		return new JdbcEventStore(dataSource, SCHEMA, CODEC, EventStoreSettings.defaults(), EventMetadataSource.NONE,
				null, EventObservations.NONE, signal);
	}

	PerspectiveInstance start(PerspectiveHandler... handlers) {
		return start(SETTINGS, handlers);
	}

	PerspectiveInstance start(PerspectiveSettings settings, PerspectiveHandler... handlers) {
		PerspectiveInstance instance = prepare((parts) -> parts.with(settings), handlers);
		instance.worker.start();
		return instance;
	}

	/** An instance that is not started yet. */
	PerspectiveInstance prepare(PerspectiveInstance.Choice choice, PerspectiveHandler... handlers) {
		return prepare(RULES, choice, handlers);
	}

	PerspectiveInstance prepare(CoordinatorSettings rules, PerspectiveInstance.Choice choice,
			PerspectiveHandler... handlers) {
		PerspectiveInstance instance = new PerspectiveInstance(this.database, rules, choice, List.of(handlers));
		this.instances.add(instance);
		this.signals.add(instance.signal());
		return instance;
	}

	/** Appends events to a stream, in a transaction of their own. */
	Appended append(String stream, int count) {
		return this.store.append(StreamId.of(stream), ExpectedVersion.any(),
				IntStream.range(0, count).mapToObj(Noted::new).toList());
	}

	/** What was applied to a run, in order: {@code stream/version}. */
	List<String> applied(String name, int run) {
		return this.jdbc.queryForList(
				"select stream || '/' || version from applied where name = ? and run = ? order by id", String.class,
				name, run);
	}

	List<String> applied(String name) {
		return applied(name, 1);
	}

	long events() {
		return count("select count(*) from whizbang.wh_events");
	}

	long count(String sql, Object... arguments) {
		Long count = this.jdbc.queryForObject(sql, Long.class, arguments);
		return (count != null) ? count : 0;
	}

	void awaitApplied(String name, long count) {
		awaitApplied(name, 1, count);
	}

	void awaitApplied(String name, int run, long count) {
		String sql = "select count(*) from applied where name = ? and run = ?";
		Await.until(() -> count + " applied events, of which there are " + count(sql, name, run) + "; " + standing(),
				() -> count(sql, name, run) >= count);
	}

	/** What is wrong with a run: events that are missing, twice, or not in order. */
	List<Map<String, Object>> faults(String name, int run) {
		List<Map<String, Object>> faults = new ArrayList<>(this.jdbc.queryForList(
				"""
						select e.stream_id, e.version, e.position, count(a.id) as times
						from whizbang.wh_events e join whizbang.wh_streams s using (stream_id)
						    left join applied a on a.name = ? and a.run = ? and a.stream = s.stream_key and a.version = e.version
						group by e.stream_id, e.version, e.position having count(a.id) <> 1 limit 20""",
				name, run));
		faults.addAll(this.jdbc.queryForList("""
				select * from (select a.*, lag(a.version) over (partition by a.stream order by a.id) as before
				               from applied a where a.name = ? and a.run = ?) o
				where o.version <> coalesce(o.before, 0) + 1 limit 20""", name, run));
		return faults;
	}

	/** Waits until a run that serves has nothing left to do, not even to move on. */
	void awaitDone(PerspectiveInstance instance, String name) {
		Await.until(() -> "all is done; " + standing(), () -> instance.perspectives.status(name).get(0).behind() == 0);
	}

	Map<String, Object> checkpoint(String stream) {
		return this.jdbc.queryForMap(CHECKPOINT.formatted("c.*"), StreamId.of(stream).value());
	}

	int status(String stream) {
		List<Integer> status = this.jdbc.queryForList(CHECKPOINT.formatted("c.status"), Integer.class,
				StreamId.of(stream).value());
		return status.isEmpty() ? -1 : status.get(0);
	}

	/** Everything about where runs stand, for messages. */
	String standing() {
		return this.jdbc.queryForList(
				"""
						select run_id, array_agg(shard) as shards, holder, token, lease_expiry, base_snapshot::text, base_low, base_high,
						    base_restored, target_snapshot::text, target_high, position
						from whizbang.wh_perspective_shards group by 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12""")
				+ "; "
				+ this.jdbc.queryForList("select * from whizbang.wh_perspective_checkpoints where status <> 0 limit 10")
				+ "; " + this.jdbc.queryForList("select * from whizbang.wh_perspectives");
	}

	@Override
	public void close() {
		this.instances.forEach(PerspectiveInstance::close);
	}

	static Interest everything() {
		return (name, type) -> true;
	}

	static Interest only(String... names) {
		return (name, type) -> Set.of(names).contains(name);
	}

	@EventType("noted")
	record Noted(int number) {
	}

	@EventType("closed")
	record Closed(String why) {
	}

}
