package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@PostgresTest
class JdbcInboxTests {

	private final InboxFixture fixture;

	private final Inbox inbox;

	private final TransactionTemplate transaction;

	JdbcInboxTests(PostgresDatabase database) {
		this.fixture = new InboxFixture(database);
		this.inbox = this.fixture.inbox;
		this.transaction = this.fixture.transaction;
	}

	@Test
	void acceptsAMessageOnce() {
		assertThat(this.inbox.receive(InboxFixture.message("a"))).isEqualTo(Receipt.ACCEPTED);
		assertThat(this.inbox.receive(InboxFixture.message("a"))).isEqualTo(Receipt.DUPLICATE);
		assertThat(this.fixture.waiting()).containsExactly("a");
		assertThat(this.fixture.received).containsExactly("1/0/0", "0/1/0");
	}

	@Test
	void acceptsTheSameIdentityFromAnotherSource() {
		this.inbox.receive(InboxFixture.message("a"));
		IncomingMessage other = IncomingMessage.from("elsewhere", "a").topic("orders").payload("{}").build();
		assertThat(this.inbox.receive(other)).isEqualTo(Receipt.ACCEPTED);
		assertThat(this.fixture.waiting()).containsExactly("a", "a");
	}

	@Test
	void refusesOtherContentUnderAKnownIdentity() {
		this.inbox.receive(InboxFixture.message("a"));
		IncomingMessage other = IncomingMessage.from(InboxFixture.SOURCE, "a")
			.topic("orders")
			.type("Order")
			.payload("{\"name\":\"b\"}")
			.build();
		assertThat(this.inbox.receive(other)).isEqualTo(Receipt.CONFLICT);
		assertThat(this.fixture.waiting()).containsExactly("a");
		assertThat(this.fixture.received).containsExactly("1/0/0", "0/0/1");
	}

	@Test
	void headersMakeNoConflict() {
		this.inbox.receive(InboxFixture.message("a"));
		IncomingMessage again = IncomingMessage.from(InboxFixture.SOURCE, "a")
			.topic("orders")
			.type("Order")
			.header("traceparent", "another")
			.payload("{\"name\":\"a\"}")
			.build();
		assertThat(this.inbox.receive(again)).isEqualTo(Receipt.DUPLICATE);
	}

	@Test
	void tellsDuplicatesAndConflictsInsideOfOneCall() {
		IncomingMessage other = IncomingMessage.from(InboxFixture.SOURCE, "a").topic("other").payload("{}").build();
		assertThat(this.inbox.receiveAll(
				List.of(InboxFixture.message("a"), InboxFixture.message("b"), InboxFixture.message("a"), other)))
			.containsExactly(Receipt.ACCEPTED, Receipt.ACCEPTED, Receipt.DUPLICATE, Receipt.CONFLICT);
		assertThat(this.fixture.waiting()).containsExactly("a", "b");
	}

	@Test
	void batchOf50IsAcceptedOnceHoweverOftenItComes() {
		assertThat(this.inbox.receiveAll(InboxFixture.messages(50))).containsOnly(Receipt.ACCEPTED);
		assertThat(this.inbox.receiveAll(InboxFixture.messages(60))).startsWith(Receipt.DUPLICATE)
			.endsWith(Receipt.ACCEPTED);
		assertThat(this.fixture.waiting()).hasSize(60);
	}

	@Test
	void acceptsNoMessagesAtAll() {
		assertThat(this.inbox.receiveAll(List.of())).isEmpty();
		assertThat(this.fixture.waiting()).isEmpty();
		assertThat(this.fixture.received).isEmpty();
	}

	@Test
	void keepsIdentityTypeHeadersAndOrder() {
		this.inbox.receiveAll(List.of(InboxFixture.message("z", "s"), InboxFixture.message("a", "s")));
		assertThat(this.fixture.waiting()).containsExactly("z", "a");
		assertThat(this.fixture.jdbc.queryForMap("select * from whizbang.wh_inbox order by seq limit 1"))
			.containsEntry("message_id", InboxFixture.message("z").messageId().value())
			.containsEntry("message_type", "Order")
			.containsEntry("stream_key", "s")
			.containsEntry("attempts", 0)
			.containsEntry("status", 0);
	}

	@Test
	void nothingIsRememberedWhenTheTransactionRollsBack() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.inbox.receive(InboxFixture.message("a"))).isEqualTo(Receipt.ACCEPTED);
			assertThat(this.inbox.receive(InboxFixture.message("a"))).isEqualTo(Receipt.DUPLICATE);
			status.setRollbackOnly();
		});
		assertThat(this.fixture.waiting()).isEmpty();
		assertThat(this.inbox.receive(InboxFixture.message("a"))).isEqualTo(Receipt.ACCEPTED);
	}

	@Test
	void rollbackToASavepointUndoesTheMessageAndTheMemory() {
		TransactionTemplate nested = new TransactionTemplate(this.transaction.getTransactionManager());
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.transaction.executeWithoutResult((outer) -> {
			this.inbox.receive(InboxFixture.message("a"));
			nested.executeWithoutResult((inner) -> {
				this.inbox.receive(InboxFixture.message("b"));
				inner.setRollbackOnly();
			});
		});
		assertThat(this.fixture.waiting()).containsExactly("a");
		assertThat(this.inbox.receive(InboxFixture.message("b"))).isEqualTo(Receipt.ACCEPTED);
	}

	@Test
	void refusesAReadOnlyTransaction() {
		this.transaction.setReadOnly(true);
		this.transaction.executeWithoutResult((status) -> assertThatIllegalStateException()
			.isThrownBy(() -> this.inbox.receive(InboxFixture.message("a")))
			.withMessageContaining("Cannot receive in the read-only transaction"));
	}

	@Test
	void whoeverReceivesTheSameMessageWaitsForTheFirstToCommit() throws Exception {
		assertThat(secondReceiptWhileTheFirstIsOpen(false)).isEqualTo(Receipt.DUPLICATE);
		assertThat(this.fixture.waiting()).containsExactly("a");
	}

	@Test
	void whoeverReceivesTheSameMessageGetsItWhenTheFirstRollsBack() throws Exception {
		assertThat(secondReceiptWhileTheFirstIsOpen(true)).isEqualTo(Receipt.ACCEPTED);
		assertThat(this.fixture.waiting()).containsExactly("a");
	}

	private Receipt secondReceiptWhileTheFirstIsOpen(boolean rollback) throws Exception {
		CompletableFuture<Receipt> second = new CompletableFuture<>();
		this.transaction.executeWithoutResult((status) -> {
			this.inbox.receive(InboxFixture.message("a"));
			CompletableFuture.supplyAsync(() -> this.inbox.receive(InboxFixture.message("a")))
				.whenComplete((receipt, failure) -> second.complete(receipt));
			Await.until("a session that waits for the first", () -> this.fixture.number("""
					select count(*) from pg_stat_activity
					where datname = current_database() and wait_event_type = 'Lock'""") > 0);
			assertThat(second).isNotDone();
			if (rollback) {
				status.setRollbackOnly();
			}
		});
		return second.get(30, TimeUnit.SECONDS);
	}

	@Test
	void batchesInAnyOrderNeverDeadlockAndAcceptEachMessageOnce() throws Exception {
		List<IncomingMessage> messages = new ArrayList<>(InboxFixture.messages(40));
		List<IncomingMessage> reversed = new ArrayList<>(messages);
		Collections.reverse(reversed);
		CountDownLatch start = new CountDownLatch(1);
		List<CompletableFuture<List<Receipt>>> calls = IntStream.range(0, 8)
			.mapToObj((n) -> CompletableFuture.supplyAsync(() -> {
				awaitUninterruptibly(start);
				return this.inbox.receiveAll((n % 2 == 0) ? messages : reversed);
			}, (task) -> new Thread(task).start()))
			.toList();
		start.countDown();
		long accepted = 0;
		for (CompletableFuture<List<Receipt>> call : calls) {
			accepted += Collections.frequency(call.get(60, TimeUnit.SECONDS), Receipt.ACCEPTED);
		}
		assertThat(accepted).isEqualTo(40);
		assertThat(this.fixture.waiting()).hasSize(40);
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void remembersForEverUnlessToldOtherwise() {
		this.inbox.receive(InboxFixture.message("kept"));
		this.fixture.inbox(InboxSettings.defaults().withRetention(Duration.ofMillis(1)))
			.receive(InboxFixture.message("brief"));
		JdbcDeduplicationPurge purge = new JdbcDeduplicationPurge(this.fixture.dataSource, "whizbang");
		Await.until("the end of the retention", () -> {
			purge.run();
			return this.fixture.number("select count(*) from whizbang.wh_message_deduplication") == 1;
		});
		assertThat(this.inbox.receive(InboxFixture.message("kept"))).isEqualTo(Receipt.DUPLICATE);
		assertThat(this.inbox.receive(InboxFixture.message("brief"))).isEqualTo(Receipt.ACCEPTED);
	}

	@Test
	void purgeTakesBatchesAndComesBackSoonWhenThereIsMore() {
		this.fixture.jdbc
			.update("""
					insert into whizbang.wh_message_deduplication (source, message_id, content_hash, received_at, expires_at)
					select 'old', gen_random_uuid(), '\\x00', now(), now() - interval '1 day' from generate_series(1, 2500)""");
		JdbcDeduplicationPurge purge = new JdbcDeduplicationPurge(this.fixture.dataSource, "whizbang");
		assertThat(purge.run()).isEqualTo(Duration.ofMinutes(1));
		assertThat(this.fixture.number("select count(*) from whizbang.wh_message_deduplication")).isZero();
		assertThat(purge.run()).isEqualTo(Duration.ofMinutes(10));
	}

}
