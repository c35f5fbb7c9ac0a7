package io.whizbang.transport.local;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.inbox.InboxIntake;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.inbox.JdbcInbox;
import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.letter.LetterListener;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.observation.MessageObservations;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.TcpProxy;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.SendResult;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From the outbox into the tables of the inbox, over a wire to the database that can be
 * cut.
 */
@PostgresTest
class InboxTransportTests {

	private static final String SCHEMA = "whizbang";

	private static final InboxSettings SETTINGS = InboxSettings.defaults().withMaxPayloadSize(1_000);

	private final JdbcTemplate jdbc;

	private final TcpProxy wire;

	private final InboxTransport transport;

	InboxTransportTests(PostgresDatabase database) throws IOException {
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.jdbc = database.jdbc();
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(database.jdbcUrl());
		dataSource.setUser(database.server().username());
		dataSource.setPassword(database.server().password());
		this.wire = new TcpProxy(dataSource.getServerNames()[0], dataSource.getPortNumbers()[0]);
		dataSource.setServerNames(new String[] { "localhost" });
		dataSource.setPortNumbers(new int[] { this.wire.port() });
		JdbcInbox inbox = new JdbcInbox(dataSource, SCHEMA,
				new TransactionalStore(dataSource, new JdbcMessageStore(SCHEMA), Queue.INBOX, true, WorkSignal.NONE),
				SETTINGS, WorkListener.NONE, MessageObservations.NONE);
		JdbcDeadLetters letters = new JdbcDeadLetters(dataSource, SCHEMA, WorkSignal.NONE, LetterListener.NONE);
		this.transport = new InboxTransport(new InboxIntake(inbox, letters,
				new TransactionTemplate(new JdbcTransactionManager(dataSource)), SETTINGS), new CloudEvents("/shop"));
	}

	@AfterEach
	void close() throws IOException {
		this.wire.close();
	}

	@Test
	void storesAMessageWithAllItHas() {
		Envelope message = new Envelope(MessageId.next(), "all", "com.example.Order", StreamId.of("customer-7"),
				Map.of("tenant", "blue", HeaderNames.CORRELATION_ID, "c-1"), "{\"price\":\"10 €\"}", Instant.EPOCH);
		assertThat(this.transport.send(List.of(message))).containsExactly(SendResult.sent());
		assertThat(this.jdbc.queryForMap("""
				select message_id, message_type, stream_key, payload, headers ->> 'tenant' as tenant,
				       headers ->> 'correlation-id' as correlation, headers ->> 'whizbang-source' as source
				from whizbang.wh_inbox where topic = 'all'""")).isEqualTo(Map.of("message_id", message.id().value(),
				"message_type", "com.example.Order", "stream_key", "customer-7", "payload", "{\"price\":\"10 €\"}",
				"tenant", "blue", "correlation", "c-1", "source", "outbox:all"));
	}

	@Test
	void storesAMessageOnceThatIsSentTwice() {
		Envelope first = message("twice", "1");
		Envelope second = message("twice", "2");
		assertThat(this.transport.send(List.of(first))).containsExactly(SendResult.sent());
		assertThat(this.transport.send(List.of(first, second))).containsExactly(SendResult.sent(), SendResult.sent());
		assertThat(payloads("twice")).containsExactly("1", "2");
	}

	@Test
	void keepsTheOrderOfAStream() {
		this.transport.send(List.of(message("order", "1"), message("order", "2"), message("order", "3")));
		assertThat(payloads("order")).containsExactly("1", "2", "3");
	}

	@Test
	void keepsWhatIsTooLargeAmongTheDeadLettersAndTakesTheOthers() {
		String large = "\"" + "x".repeat(999) + "\"";
		List<Envelope> messages = List.of(message("sizes", "1"), message("sizes", large), message("sizes", "3"));
		assertThat(this.transport.send(messages)).containsOnly(SendResult.sent());
		assertThat(payloads("sizes")).containsExactly("1", "3");
		assertThat(this.jdbc.queryForMap("""
				select reason, convert_from(raw, 'UTF8') as raw, headers ->> 'outbox-message-id' as id, error
				from whizbang.wh_dead_letters where source = 'outbox:sizes'""")).containsEntry("reason", "too-large")
			.containsEntry("raw", large)
			.containsEntry("id", messages.get(1).id().toString())
			.hasEntrySatisfying("error",
					(error) -> assertThat((String) error).contains("1001 characters", "max-payload-size"));
	}

	@Test
	void isUnreachableWhileTheDatabaseIs() {
		Envelope message = message("away", "1");
		this.wire.cut();
		assertThat(this.transport.send(List.of(message))).extracting(SendResult::status)
			.containsExactly(SendResult.Status.UNREACHABLE);
		this.wire.mend();
		assertThat(this.transport.send(List.of(message))).containsExactly(SendResult.sent());
		assertThat(payloads("away")).containsExactly("1");
	}

	@Test
	void takesOnlyTopicsThatAreMeantForIt() {
		assertThat(this.transport.takesUnroutedTopics()).isFalse();
		assertThat(this.transport.name()).isEqualTo("inbox");
	}

	private List<String> payloads(String topic) {
		return this.jdbc.queryForList("select payload from whizbang.wh_inbox where topic = ? order by seq",
				String.class, topic);
	}

	private static Envelope message(String topic, String payload) {
		return new Envelope(MessageId.next(), topic, "Number", StreamId.of("numbers"), Map.of(), payload,
				Instant.EPOCH);
	}

}
