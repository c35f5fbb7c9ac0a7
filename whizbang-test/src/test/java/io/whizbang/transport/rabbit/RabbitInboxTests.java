package io.whizbang.transport.rabbit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.inbox.InboxIntake;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.inbox.JdbcInbox;
import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.letter.LetterListener;
import io.whizbang.observation.MessageObservations;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.RabbitClient;
import io.whizbang.test.RabbitServer;
import io.whizbang.test.RabbitTest;
import io.whizbang.test.TcpProxy;
import io.whizbang.transport.Intake;
import io.whizbang.transport.rabbit.RabbitListenerSettings.MissingId;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From a queue of RabbitMQ into the tables of the inbox, over a wire to the database that
 * can be cut.
 */
@PostgresTest
@RabbitTest
class RabbitInboxTests {

	private static final String SCHEMA = "whizbang";

	private static final InboxSettings SETTINGS = InboxSettings.defaults().withMaxPayloadSize(10_000);

	private final RabbitClient client;

	private final CachingConnectionFactory connections;

	private final JdbcTemplate jdbc;

	private final PGSimpleDataSource dataSource = new PGSimpleDataSource();

	private final TcpProxy wire;

	private RabbitReceiver receiver;

	RabbitInboxTests(PostgresDatabase database, RabbitServer server) throws IOException {
		this.client = new RabbitClient(server);
		this.connections = new CachingConnectionFactory(server.host(), server.port());
		this.jdbc = database.jdbc();
		this.dataSource.setUrl(database.jdbcUrl());
		this.dataSource.setUser(database.server().username());
		this.dataSource.setPassword(database.server().password());
		this.wire = new TcpProxy(this.dataSource.getServerNames()[0], this.dataSource.getPortNumbers()[0]);
		this.dataSource.setServerNames(new String[] { "localhost" });
		this.dataSource.setPortNumbers(new int[] { this.wire.port() });
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
	}

	@AfterEach
	void close() throws IOException {
		this.receiver.stop();
		this.connections.destroy();
		this.wire.close();
		this.client.close();
	}

	@Test
	void storesWhatAClientSendsThatKnowsNothingOfWhizbang() throws IOException {
		String queue = this.client.queue("orders");
		this.client.publish(queue,
				new BasicProperties.Builder().messageId("m-1")
					.type("OrderPlaced")
					.headers(Map.of("tenant", "blue"))
					.build(),
				"{\"total\":1}");
		start(RabbitListenerSettings.of(queue));
		Await.until("a message", () -> messages(queue).size() == 1);
		assertThat(messages(queue).get(0)).containsEntry("payload", "{\"total\":1}")
			.containsEntry("message_type", "OrderPlaced");
		assertThat(messages(queue).get(0).get("headers").toString()).contains("blue");
	}

	@Test
	void storesAMessageOnceThatIsDeliveredTwice() throws IOException {
		String queue = this.client.queue("orders");
		for (String id : List.of("m-1", "m-2", "m-1")) {
			this.client.publish(queue, id(id), "\"%s\"".formatted(id));
		}
		start(RabbitListenerSettings.of(queue));
		this.client.publish(queue, id("m-2"), "\"m-2\"");
		this.client.publish(queue, id("m-3"), "\"m-3\"");
		Await.until("the last message", () -> messages(queue).size() == 3);
		assertThat(messages(queue)).extracting((row) -> row.get("payload"))
			.containsExactly("\"m-1\"", "\"m-2\"", "\"m-3\"");
	}

	@Test
	void keepsWhatIsMalformedWithTheDeadLettersAndGoesOn() throws IOException {
		String queue = this.client.queue("orders");
		this.client.publish(queue,
				new BasicProperties.Builder().messageId("m-1")
					.headers(Map.of("tenant", "blue", "zero\0", "\0"))
					.build(),
				"{oops");
		this.client.publish(queue, null, "\"without id\"");
		this.client.publish(queue, id("m-3"), "\"m-3\"");
		start(new RabbitListenerSettings(List.of(queue), null, null, 1, 250, 100, MissingId.REFUSE));
		Await.until("the message behind them", () -> messages(queue).size() == 1);
		List<Map<String, Object>> letters = this.jdbc.queryForList(
				"select * from whizbang.wh_dead_letters where source = ? order by dead_letter_id", "rabbit:" + queue);
		assertThat(letters).extracting((row) -> new String((byte[]) row.get("raw"), StandardCharsets.UTF_8))
			.containsExactly("{oops", "\"without id\"");
		assertThat(letters).extracting((row) -> row.get("reason")).containsOnly("malformed");
		assertThat(letters.get(0).get("error").toString()).contains("Its payload is not JSON");
		assertThat(letters.get(0).get("headers").toString()).contains("tenant", "blue", "rabbit-queue", queue, "m-1");
		assertThat(letters.get(1).get("error").toString()).contains("It has no id");
		this.receiver.stop();
		assertThat(this.client.count(queue)).isZero();
	}

	@Test
	void keepsWhatIsTooLargeAmongTheDeadLettersAndGoesOn() throws IOException {
		String queue = this.client.queue("orders");
		String large = "\"" + "x".repeat(10_000) + "\"";
		this.client.publish(queue, id("m-1"), large);
		this.client.publish(queue, id("m-2"), "\"m-2\"");
		start(RabbitListenerSettings.of(queue));
		Await.until("the message behind it", () -> messages(queue).size() == 1);
		assertThat(this.jdbc.queryForList("select * from whizbang.wh_dead_letters where source = ?", "rabbit:" + queue))
			.singleElement()
			.satisfies((row) -> {
				assertThat(row).containsEntry("reason", "too-large");
				assertThat(new String((byte[]) row.get("raw"), StandardCharsets.UTF_8)).isEqualTo(large);
			});
		this.receiver.stop();
		assertThat(this.client.count(queue)).isZero();
	}

	@Test
	void acknowledgesNothingWhileTheDatabaseIsAway() throws IOException {
		String queue = this.client.queue("orders");
		this.wire.cut();
		List<String> payloads = IntStream.range(0, 250).mapToObj((i) -> "\"%d\"".formatted(i)).toList();
		for (String payload : payloads) {
			this.client.publish(queue, id(payload), payload);
		}
		start(RabbitListenerSettings.of(queue));
		Await.until("the receiver has taken messages", () -> this.client.count(queue) < 250);
		this.receiver.stop();
		Await.until("all are back", () -> this.client.count(queue) == 250);
		start(RabbitListenerSettings.of(queue));
		Await.until("the receiver has taken messages again", () -> this.client.count(queue) < 250);
		this.wire.mend();
		Await.until("all messages", () -> messages(queue).size() == 250);
		assertThat(messages(queue)).extracting((row) -> row.get("payload")).isEqualTo(payloads);
	}

	private void start(RabbitListenerSettings settings) {
		this.receiver = new RabbitReceiver(this.connections, intake(), List.of(settings), 0);
		this.receiver.start();
	}

	private Intake intake() {
		TransactionalStore store = new TransactionalStore(this.dataSource, new JdbcMessageStore(SCHEMA), Queue.INBOX,
				true, WorkSignal.NONE);
		JdbcInbox inbox = new JdbcInbox(this.dataSource, SCHEMA, store, SETTINGS, WorkListener.NONE,
				MessageObservations.NONE);
		return new InboxIntake(inbox,
				new JdbcDeadLetters(this.dataSource, SCHEMA, WorkSignal.NONE, LetterListener.NONE),
				new TransactionTemplate(new JdbcTransactionManager(this.dataSource)), SETTINGS);
	}

	private List<Map<String, Object>> messages(String topic) {
		return this.jdbc.queryForList("select * from whizbang.wh_inbox where topic = ? order by seq", topic);
	}

	private static BasicProperties id(String id) {
		return new BasicProperties.Builder().messageId(id).build();
	}

}
