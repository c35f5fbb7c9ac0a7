package io.whizbang.outbox;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.PayloadException;
import io.whizbang.message.StreamId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@PostgresTest
class JdbcOutboxTests {

	private final PostgresDatabase database;

	private final CountingDataSource dataSource;

	private final OutboxFixture fixture;

	private final Outbox outbox;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	JdbcOutboxTests(PostgresDatabase database) {
		this.database = database;
		this.dataSource = new CountingDataSource(database.dataSource());
		this.fixture = new OutboxFixture(database, this.dataSource);
		this.outbox = this.fixture.outbox;
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
	}

	@Test
	void storesMessagesWithTheTransactionThatCommits() {
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.update("insert into thing values ('a')");
			this.outbox.enqueue("orders", new Order("1", 10));
			assertThat(this.fixture.topics()).isEmpty();
		});
		assertThat(this.fixture.topics()).containsExactly("orders");
		assertThat(this.fixture.payloads()).containsExactly("{\"id\":\"1\",\"amount\":10}");
		assertThat(this.fixture.things()).containsExactly("a");
	}

	@Test
	void storesNothingWhenTheTransactionRollsBack() {
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.update("insert into thing values ('a')");
			this.outbox.enqueue("orders", new Order("1", 10));
			status.setRollbackOnly();
		});
		assertThat(this.fixture.topics()).isEmpty();
		assertThat(this.fixture.signals()).isEmpty();
		assertThat(this.dataSource.statements()).noneMatch((sql) -> sql.contains("store_message"));
	}

	@Test
	void storesAtOnceWithoutATransaction() {
		this.outbox.enqueue("orders", new Order("1", 10));
		assertThat(this.fixture.topics()).containsExactly("orders");
		assertThat(this.fixture.signals()).hasSize(1);
	}

	@Test
	void storesAtOnceAlsoWithAPoolThatDoesNotCommitByItself() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(this.database.unpooledDataSource());
			pool.setAutoCommit(false);
			new OutboxFixture(this.database, pool).outbox.enqueue("orders", new Order("1", 10));
		}
		assertThat(this.fixture.topics()).containsExactly("orders");
	}

	@Test
	void raisesOneSignalAfterTheCommitWithTheHashesOfAllStreams() {
		this.transaction.executeWithoutResult((status) -> {
			this.outbox.enqueue("orders", "a", "x");
			this.outbox.enqueue("orders", "b", "x");
			this.outbox.enqueue("orders", "a", "x");
			assertThat(this.fixture.signals()).isEmpty();
		});
		assertThat(this.fixture.signals()).singleElement()
			.satisfies((hashes) -> assertThat(hashes).containsExactlyInAnyOrder(
					StreamId.partitionHash(StreamId.of("a").value()),
					StreamId.partitionHash(StreamId.of("b").value())));
	}

	@Test
	void writesAllMessagesOfATransactionInOneStatementInTheirOrder() {
		List<OutboxMessage> messages = IntStream.range(0, 5_000)
			.mapToObj((i) -> OutboxMessage.to("bulk", i).stream("s" + i % 7).build())
			.toList();
		List<MessageId> ids = this.transaction.execute((status) -> this.outbox.enqueueAll(messages));
		assertThat(ids).hasSize(5_000).isEqualTo(messages.stream().map(OutboxMessage::id).toList());
		assertThat(this.dataSource.statements()).hasSize(1);
		assertThat(this.fixture.payloads()).isEqualTo(IntStream.range(0, 5_000).mapToObj(Integer::toString).toList());
	}

	@Test
	void writesSeveralEnqueuesOfATransactionInOneStatement() {
		this.transaction.executeWithoutResult((status) -> {
			for (int i = 0; i < 20; i++) {
				this.outbox.enqueue("orders", i);
			}
		});
		assertThat(this.dataSource.statements()).hasSize(1);
		assertThat(this.fixture.topics()).hasSize(20);
	}

	@Test
	void storesEverythingAboutAMessage() {
		MessageId id = MessageId.next();
		this.outbox.enqueue(OutboxMessage.to("orders", new Order("1", 10))
			.id(id)
			.type("order-placed")
			.stream("customer 7")
			.header("tenant", "acme \"& co\" ä 😀")
			.correlationId("c-1")
			.build());
		Map<String, Object> row = this.fixture.messages().get(0);
		assertThat(row).containsEntry("message_id", id.value())
			.containsEntry("message_type", "order-placed")
			.containsEntry("stream_id", StreamId.of("customer 7").value())
			.containsEntry("stream_key", "customer 7");
		assertThat(this.fixture.committed()
			.queryForMap("select headers ->> 'tenant' as tenant, headers ->> 'correlation-id' as correlation"
					+ " from whizbang.wh_outbox"))
			.containsEntry("tenant", "acme \"& co\" ä 😀")
			.containsEntry("correlation", "c-1");
	}

	@Test
	void keepsAStreamKeyThatIsAUuidOnlyOnce() {
		UUID stream = UUID.randomUUID();
		this.outbox.enqueueAll(List.of(OutboxMessage.to("a", 1).stream(stream).build(),
				OutboxMessage.to("a", 1).stream(stream.toString()).build()));
		assertThat(this.fixture.messages())
			.allSatisfy((row) -> assertThat(row).containsEntry("stream_id", stream).containsEntry("stream_key", null));
	}

	@Test
	void keepsUnicodeAndTheCharacterZeroInPayloads() {
		String text = "zero \0, quote \", backslash \\, brace {}, comma, ä, 漢字, 😀, null";
		this.outbox.enqueue("orders", Map.of("text", text));
		Object read = JsonMapper.shared().readValue(this.fixture.payloads().get(0), Map.class);
		assertThat(read).isEqualTo(Map.of("text", text));
	}

	@Test
	void storesAPayloadOfFiveMegabytes() {
		String large = "ä{\"\\".repeat(1_250_000);
		this.transaction.executeWithoutResult((status) -> this.outbox.enqueue("orders", large));
		assertThat(this.fixture.payloads().get(0)).hasSizeGreaterThan(5_000_000);
	}

	@Test
	void acceptsNoMessagesAtAll() {
		assertThat(this.outbox.enqueueAll(List.of())).isEmpty();
		this.transaction.executeWithoutResult((status) -> this.outbox.enqueueAll(List.of()));
		assertThat(this.dataSource.statements()).isEmpty();
		assertThat(this.fixture.signals()).isEmpty();
	}

	@Test
	void letsMessagesWaitByTheDatabasesClock() {
		Instant time = Instant.parse("2999-01-02T03:04:05.678901Z");
		this.outbox.enqueueAll(List.of(OutboxMessage.to("now", 1).build(),
				OutboxMessage.to("delayed", 1).delay(Duration.ofMinutes(5)).build(),
				OutboxMessage.to("at", 1).notBefore(time).build(),
				OutboxMessage.to("past", 1).notBefore(Instant.parse("2001-01-01T00:00:00Z")).build(),
				OutboxMessage.to("zero", 1).delay(Duration.ZERO).build()));
		assertThat(this.fixture.topics()).containsExactly("now", "past", "zero");
		assertThat(this.fixture.scheduled()).extracting("topic").containsExactly("delayed", "at");
		assertThat(this.fixture.scheduled().get(0).get("delay")).hasToString("5 mins");
		assertThat(((Timestamp) this.fixture.scheduled().get(1).get("due_at")).toInstant()).isEqualTo(time);
	}

	@Test
	void refusesAPayloadThatCannotBeWrittenAndLeavesTheTransactionAlone() {
		this.transaction.executeWithoutResult((status) -> {
			this.outbox.enqueue("good", 1);
			assertThatExceptionOfType(PayloadException.class)
				.isThrownBy(() -> this.outbox.enqueueAll(List.of(OutboxMessage.to("good too", 1).build(),
						OutboxMessage.to("bad", new Holder(List.of(new Broken()))).build())))
				.withMessageContaining(Holder.class.getName())
				.withMessageContaining("items[0].value");
		});
		assertThat(this.fixture.topics()).containsExactly("good");
	}

	@Test
	void writesThePayloadAsItIsWhenItIsEnqueued() {
		List<String> mutable = new ArrayList<>(List.of("before"));
		this.transaction.executeWithoutResult((status) -> {
			this.outbox.enqueue("orders", mutable);
			mutable.add("after");
		});
		assertThat(this.fixture.payloads()).containsExactly("[\"before\"]");
	}

	@Test
	void refusesMessagesAfterItIsClosedButStoresThoseUnderWay() {
		this.transaction.executeWithoutResult((status) -> {
			this.outbox.enqueue("orders", 1);
			this.fixture.outbox.close();
			assertThatIllegalStateException().isThrownBy(() -> this.outbox.enqueue("orders", 2))
				.withMessageContaining("shuts down");
		});
		assertThat(this.fixture.payloads()).containsExactly("1");
	}

	@Test
	@SuppressWarnings("try")
	void carriesOnTheCorrelationOfTheMessageThatIsBeingHandled() {
		Envelope cause = envelope(Map.of(HeaderNames.CORRELATION_ID, "c-1"));
		try (CurrentMessage.Scope scope = CurrentMessage.open(cause)) {
			this.outbox.enqueue("inherits", 1);
			this.outbox.enqueue(OutboxMessage.to("explicit", 1).correlationId("c-2").build());
		}
		Envelope first = envelope(Map.of());
		try (CurrentMessage.Scope scope = CurrentMessage.open(first)) {
			this.outbox.enqueue("begins", 1);
		}
		this.outbox.enqueue("alone", 1);
		assertThat(this.fixture.committed()
			.queryForList("select headers ->> 'correlation-id' || ' ' || (headers ->> 'causation-id')"
					+ " from whizbang.wh_outbox order by seq", String.class))
			.containsExactly("c-1 " + cause.id(), "c-2 " + cause.id(), first.id() + " " + first.id(), null);
	}

	private static Envelope envelope(Map<String, String> headers) {
		return new Envelope(MessageId.next(), "cause", "Thing", null, headers, "{}", Instant.EPOCH);
	}

	record Order(String id, int amount) {

	}

	record Holder(List<Object> items) {

	}

	static final class Broken {

		public String getValue() {
			throw new UnsupportedOperationException("not today");
		}

	}

}
