package io.whizbang.event;

import java.math.BigDecimal;
import java.util.List;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.EventObservations;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.JdbcOutbox;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An event store on a database of the test's own, and a view of what is committed there.
 */
final class EventFixture {

	static final String SCHEMA = SchemaSettings.defaults().name();

	static final MessageCodec JSON = new JsonMessageCodec(JsonMapper.shared());

	static final EventTypes TYPES = EventTypes.of(Placed.class, Paid.class, Shipped.class, Broken.class);

	private final DataSource dataSource;

	private final JdbcTemplate committed;

	final EventStore store;

	EventFixture(PostgresDatabase database, DataSource dataSource) {
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.dataSource = dataSource;
		this.committed = database.jdbc();
		this.committed.execute("truncate %1$s.wh_events, %1$s.wh_streams, %1$s.wh_outbox".formatted(SCHEMA));
		this.committed.execute("drop table if exists thing");
		this.committed.execute("create table thing (name text primary key)");
		this.store = store(EventStoreSettings.defaults(), TYPES);
	}

	EventStore store(EventStoreSettings settings, EventTypes types, Upcaster... upcasters) {
		return new JdbcEventStore(this.dataSource, SCHEMA, new EventCodec(types, List.of(upcasters), JSON), settings,
				EventMetadataSource.NONE, null, EventObservations.NONE);
	}

	/** A store that publishes to an outbox. */
	EventStore publishing(EventTopics topics) {
		TransactionalStore messages = new TransactionalStore(this.dataSource, new JdbcMessageStore(SCHEMA),
				Queue.OUTBOX, true, WorkSignal.NONE);
		JdbcOutbox outbox = new JdbcOutbox(messages, JSON, TopicCheck.NONE, MessageObservations.NONE);
		return new JdbcEventStore(this.dataSource, SCHEMA, new EventCodec(TYPES, List.of(), JSON),
				EventStoreSettings.defaults(), EventMetadataSource.NONE, new EventPublisher(outbox, topics),
				EventObservations.NONE);
	}

	JdbcTemplate committed() {
		return this.committed;
	}

	/** Versions of a stream's events that other sessions see, by position. */
	List<Long> versions(String stream) {
		return this.committed.queryForList("""
				select e.version from %1$s.wh_events e join %1$s.wh_streams s using (stream_id)
				where s.stream_key = ? order by e.position""".formatted(SCHEMA), Long.class, stream);
	}

	/** Where a stream stands for other sessions, or nothing. */
	List<Long> standing(String stream) {
		return this.committed.queryForList("select version from %s.wh_streams where stream_key = ?".formatted(SCHEMA),
				Long.class, stream);
	}

	List<String> things() {
		return this.committed.queryForList("select name from thing order by name", String.class);
	}

	@EventType("order-placed")
	record Placed(String order, BigDecimal total) {

		static Placed of(int total) {
			return new Placed("A-1", BigDecimal.valueOf(total));
		}

	}

	@EventType("order-paid")
	record Paid(int amount) {
	}

	@EventType("order-shipped")
	record Shipped(String text) {
	}

	@EventType("broken")
	record Broken(Object itself) {

		static Broken create() {
			Object[] itself = new Object[1];
			itself[0] = itself;
			return new Broken(itself);
		}

	}

	record Unnamed(int amount) {
	}

}
