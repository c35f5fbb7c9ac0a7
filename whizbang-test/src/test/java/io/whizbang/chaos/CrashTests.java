package io.whizbang.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CrashTests {

	private static final JdbcMessageStore STORE = new JdbcMessageStore("whizbang");

	/** Such a server has not written what nobody waited for when it crashes. */
	private static final Map<String, String> LAZY = Map.of("wal_writer_delay", "10s", "autovacuum", "off");

	@Test
	void callersThatDidNotNoticeACrashClaimMessagesWhoseNumbersWereGivenOutBefore() throws SQLException {
		try (EmbeddedPostgresServer server = EmbeddedPostgresServer.create(LAZY);
				PostgresDatabase database = server.server().createDatabase("crash")) {
			new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
			JdbcWorkCoordinator coordinator = new JdbcWorkCoordinator(database.unpooledDataSource(), "whizbang",
					CoordinatorSettings.defaults());
			UUID instance = coordinator.register(new InstanceInfo("test", "idle", 1, Map.of()), Set.of(Queue.OUTBOX));
			try (Connection connection = database.unpooledDataSource().getConnection()) {
				connection.setAutoCommit(false);
				STORE.store(connection, Queue.OUTBOX, messages(100), true);
				connection.rollback();
			}
			WorkBatch empty = coordinator.exchange(instance, Queue.OUTBOX, WorkReport.nothing(),
					WorkRequest.upTo(10, null));
			assertThat(empty.work()).isEmpty();

			server.crash();
			server.start();
			try (Connection connection = database.unpooledDataSource().getConnection()) {
				STORE.store(connection, Queue.OUTBOX, messages(5), true);
			}
			WorkBatch batch = coordinator.exchange(instance, Queue.OUTBOX, WorkReport.nothing(),
					WorkRequest.upTo(10, empty.memory()));
			assertThat(batch.work()).hasSize(5);
			assertThat(batch.work().get(0).seq()).as("a number that was given out before the crash").isLessThan(100);
		}
	}

	private static List<NewMessage> messages(int count) {
		return Stream.generate(() -> Message.plain(StreamId.of("one"), "{}")).limit(count).toList();
	}

}
