package io.whizbang.control;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Queue;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Empty queues in the test class's database, and nobody paused.
 */
final class ControlFixture {

	static final String SCHEMA = "whizbang";

	final JdbcTemplate jdbc;

	final JdbcControl control;

	private final JdbcWorkCoordinator coordinator;

	private final PostgresDatabase database;

	ControlFixture(PostgresDatabase database) {
		this.database = database;
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.jdbc = database.jdbc();
		empty();
		this.control = new JdbcControl(database.dataSource(), SCHEMA);
		this.coordinator = new JdbcWorkCoordinator(database.dataSource(), SCHEMA, CoordinatorSettings.defaults());
	}

	void empty() {
		this.jdbc.execute("""
				truncate whizbang.wh_messages, whizbang.wh_claims, whizbang.wh_scheduled, whizbang.wh_dead_letters,
				    whizbang.wh_paused_workers;
				delete from whizbang.wh_service_instances;
				update whizbang.wh_epoch set epoch = epoch + 1, members = '{}', low = 0, claim_low = 0""");
	}

	UUID join(String host, long process, Queue queue) {
		return this.coordinator.register(new InstanceInfo("shop", host, process, Map.of()), Set.of(queue));
	}

	/**
	 * Streams whose first message waits, each with some behind it.
	 * @param streams how many streams
	 * @param behind how many messages behind each head
	 */
	void block(int streams, int behind) {
		block(1, streams, behind);
	}

	void block(int from, int to, int behind) {
		this.jdbc.update(
				"""
						insert into whizbang.wh_messages
						    (queue, status, attempts, scheduled_for, partition_hash, size, message_id, stream_id, stream_key, topic, message_type, headers, payload, error)
						select 1, case b when 0 then 1 else 2 end, case b when 0 then 3 else 0 end,
						    case b when 0 then clock_timestamp() + interval '1 hour' + s * interval '1 ms' end,
						    s, 2, md5(s || '/' || b)::uuid, md5('s' || s)::uuid, 's' || s, 'orders', 'Order', '{}', '{}',
						    case b when 0 then 'out of paper' end
						from generate_series(?::int, ?::int) s, generate_series(0, ?) b order by s, b""",
				from, to, behind);
	}

	/** Somebody has begun to look at something and does not end. */
	Connection openTransaction() throws SQLException {
		Connection old = this.database.unpooledDataSource().getConnection();
		old.setAutoCommit(false);
		old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
		try (Statement statement = old.createStatement()) {
			statement.executeQuery("select count(*) from whizbang.wh_claims").close();
		}
		return old;
	}

	/** Has an instance hold messages. */
	void hold(UUID instance, List<Long> seqs) {
		this.jdbc.update(
				"""
						insert into whizbang.wh_claims (claim_id, queue, instance_id, token, claimed_at, lease_expiry, has_heads,
						    max_seq, seqs, partitions)
						values (nextval('whizbang.wh_claim_seq'), 1, ?, gen_random_uuid(), now(), now() + interval '5 min', true, 0,
						    string_to_array(?, ',')::bigint[], '{}')""",
				instance, String.join(",", seqs.stream().map(String::valueOf).toList()));
	}

}
