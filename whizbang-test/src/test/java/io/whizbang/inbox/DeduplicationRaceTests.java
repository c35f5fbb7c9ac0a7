package io.whizbang.inbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Transactions that meet at the memory of the inbox.
 */
@PostgresTest
class DeduplicationRaceTests {

	private final InboxFixture fixture;

	private final PostgresDatabase database;

	DeduplicationRaceTests(PostgresDatabase database) {
		this.fixture = new InboxFixture(database);
		this.database = database;
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void messageThatIsForgottenWhileItComesAgainIsRememberedAnew() throws Exception {
		assertThat(this.fixture.inbox.receive(InboxFixture.message("one"))).isEqualTo(Receipt.ACCEPTED);
		assertThat(whileForgotten(() -> this.fixture.inbox.receive(InboxFixture.message("one"))))
			.isEqualTo(Receipt.ACCEPTED);
		assertThat(this.fixture.inbox.receive(InboxFixture.message("one"))).isEqualTo(Receipt.DUPLICATE);
	}

	/**
	 * Lets a call find that a message is known, and takes that message away before the
	 * call can look at it.
	 */
	private <T> T whileForgotten(Callable<T> call) throws Exception {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try (Connection gate = this.database.unpooledDataSource().getConnection();
				Statement statement = gate.createStatement()) {
			this.fixture.jdbc.execute("""
					create function pass_gate() returns trigger language plpgsql as
					    'begin perform pg_advisory_xact_lock_shared(4711); return null; end';
					create trigger gate after insert on whizbang.wh_message_deduplication
					    for each statement execute function pass_gate()""");
			statement.execute("select pg_advisory_lock(4711)");
			Future<T> result = thread.submit(call);
			Await.until("the call to stand at the gate", () -> this.fixture
				.number("select count(*) from pg_locks where locktype = 'advisory' and not granted") == 1);
			forgetAll(statement);
			statement.execute("select pg_advisory_unlock(4711)");
			return result.get(30, TimeUnit.SECONDS);
		}
		finally {
			thread.shutdownNow();
			this.fixture.jdbc.execute("drop function pass_gate() cascade");
		}
	}

	private static void forgetAll(Statement statement) throws SQLException {
		assertThat(statement.executeUpdate("delete from whizbang.wh_message_deduplication")).isEqualTo(1);
	}

	@Test
	void transactionsThatReceiveAndEnqueueInEitherOrderDoNotWaitForEachOther() throws Exception {
		int rounds = 100;
		CyclicBarrier barrier = new CyclicBarrier(2);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			List<CompletableFuture<Void>> both = List.of(CompletableFuture.runAsync(() -> {
				for (int n = 0; n < rounds; n++) {
					String name = "a" + n;
					meet(barrier);
					this.fixture.transaction.executeWithoutResult((status) -> {
						this.fixture.inbox.receive(InboxFixture.message(name, "s"));
						this.fixture.outbox.enqueue("out", "t", 1);
					});
				}
			}, threads), CompletableFuture.runAsync(() -> {
				for (int n = 0; n < rounds; n++) {
					String name = "b" + n;
					meet(barrier);
					this.fixture.transaction.executeWithoutResult((status) -> {
						this.fixture.outbox.enqueue("out", "t", 1);
						this.fixture.inbox.receive(InboxFixture.message(name, "s"));
					});
				}
			}, threads));
			for (CompletableFuture<Void> one : both) {
				one.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.fixture.waiting()).hasSize(2 * rounds);
	}

	private static void meet(CyclicBarrier barrier) {
		try {
			barrier.await(30, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
