package io.whizbang.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An outbox on a database of the test's own, and a view of what is committed there.
 */
final class OutboxFixture implements WorkSignal {

	private static final String SCHEMA = SchemaSettings.defaults().name();

	private final JdbcTemplate committed;

	private final List<Collection<Integer>> signals = new ArrayList<>();

	final JdbcOutbox outbox;

	OutboxFixture(PostgresDatabase database, DataSource dataSource) {
		this(database, dataSource, MessageObservations.NONE);
	}

	OutboxFixture(PostgresDatabase database, DataSource dataSource, MessageObservations observations) {
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.committed = database.jdbc();
		this.committed.execute("truncate %s.wh_outbox, %s.wh_scheduled".formatted(SCHEMA, SCHEMA));
		this.committed.execute("drop table if exists thing");
		this.committed.execute("create table thing (name text primary key)");
		TransactionalStore store = new TransactionalStore(dataSource, new JdbcMessageStore(SCHEMA), Queue.OUTBOX, true,
				this);
		this.outbox = new JdbcOutbox(store, new JsonMessageCodec(JsonMapper.shared()), TopicCheck.NONE, observations);
	}

	@Override
	public void raise(Queue queue, Collection<Integer> partitionHashes) {
		this.signals.add(partitionHashes);
	}

	/** Partition hashes of each signal, in the order in which they were raised. */
	List<Collection<Integer>> signals() {
		return this.signals;
	}

	/** Topics of the messages that other sessions see, in queue order. */
	List<String> topics() {
		return this.committed.queryForList("select topic from %s.wh_outbox order by seq".formatted(SCHEMA),
				String.class);
	}

	List<String> payloads() {
		return this.committed.queryForList("select payload from %s.wh_outbox order by seq".formatted(SCHEMA),
				String.class);
	}

	List<Map<String, Object>> messages() {
		return this.committed.queryForList("select * from %s.wh_outbox order by seq".formatted(SCHEMA));
	}

	List<Map<String, Object>> scheduled() {
		return this.committed
			.queryForList("select *, due_at - created_at as delay from %s.wh_scheduled order by id".formatted(SCHEMA));
	}

	List<String> things() {
		return this.committed.queryForList("select name from thing order by name", String.class);
	}

	JdbcTemplate committed() {
		return this.committed;
	}

}
