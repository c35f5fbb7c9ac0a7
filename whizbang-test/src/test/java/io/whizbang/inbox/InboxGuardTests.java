package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.inbox.GuardAnswer.Status;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.WorkListener;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@PostgresTest
class InboxGuardTests {

	private static final byte[] HASH = { 1, 2, 3 };

	private static final Duration LEASE = Duration.ofMinutes(5);

	private final PostgresDatabase database;

	private final InboxFixture fixture;

	private final InboxGuard guard;

	InboxGuardTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new InboxFixture(database);
		this.guard = new JdbcInboxGuard(this.fixture.dataSource, "whizbang", InboxSettings.defaults(), this.fixture);
	}

	private Status begin() {
		return this.guard.begin("mail", "1", HASH, LEASE).status();
	}

	private GuardToken take() {
		return this.guard.begin("mail", "1", HASH, LEASE).requireToken();
	}

	@Test
	void messageIsNewThenInProgressThenDone() {
		GuardToken token = take();
		assertThat(begin()).isEqualTo(Status.IN_PROGRESS);
		this.guard.complete(token);
		assertThat(begin()).isEqualTo(Status.DONE);
		assertThat(this.fixture.received).containsExactly("1/0/0", "0/1/0", "0/1/0");
	}

	@Test
	void failedMessageIsNewAgainAtOnce() {
		this.guard.fail(take(), "it rained");
		GuardToken token = take();
		assertThat(this.fixture.jdbc.queryForMap("select attempts, error from whizbang.wh_message_deduplication"))
			.containsEntry("attempts", 2)
			.containsEntry("error", "it rained");
		this.guard.complete(token);
	}

	@Test
	void deadMessageIsNeverNewAgain() {
		this.guard.dead(take(), "nonsense");
		assertThat(begin()).isEqualTo(Status.DEAD);
	}

	@Test
	void otherContentIsAConflictAndChangesNothing() {
		GuardToken token = take();
		assertThat(this.guard.begin("mail", "1", new byte[] { 9 }, LEASE).status()).isEqualTo(Status.CONFLICT);
		this.guard.complete(token);
		assertThat(this.guard.begin("mail", "1", new byte[] { 9 }, LEASE).status()).isEqualTo(Status.CONFLICT);
	}

	@Test
	void messageOfACrashedHolderIsNewAgainAfterItsLease() {
		this.guard.begin("mail", "1", HASH, Duration.ofMillis(1));
		Await.until("the end of the lease", () -> begin() == Status.NEW);
	}

	@Test
	void holderWhoLostTheMessageFailsLoudlyAndItsTransactionRollsBack() {
		GuardToken lost = this.guard.begin("mail", "1", HASH, Duration.ofMillis(1)).requireToken();
		Await.until("the end of the lease", () -> begin() == Status.NEW);
		assertThatExceptionOfType(GuardLostException.class)
			.isThrownBy(() -> this.fixture.transaction.executeWithoutResult((status) -> {
				this.fixture.write("guarded", "a");
				this.guard.complete(lost);
			}))
			.withMessageContaining("not the caller's any more");
		assertThat(this.fixture.things()).isEmpty();
		assertThatExceptionOfType(GuardLostException.class).isThrownBy(() -> this.guard.fail(lost, "late"));
		assertThat(begin()).isEqualTo(Status.IN_PROGRESS);
	}

	@Test
	void lateHolderWithoutASuccessorMayComplete() {
		GuardToken token = this.guard.begin("mail", "1", HASH, Duration.ofMillis(1)).requireToken();
		Await.until("the end of the lease", () -> this.fixture.number(
				"select count(*) from whizbang.wh_message_deduplication where lease_expiry < clock_timestamp()") == 1);
		this.guard.complete(token);
		assertThat(begin()).isEqualTo(Status.DONE);
	}

	@Test
	void completingTwiceFails() {
		GuardToken token = take();
		this.guard.complete(token);
		assertThatExceptionOfType(GuardLostException.class).isThrownBy(() -> this.guard.complete(token));
	}

	@Test
	void rollbackOfTheTransactionThatBeganMakesItNewAgain() {
		this.fixture.transaction.executeWithoutResult((status) -> {
			this.fixture.write("guarded", "a");
			this.guard.complete(take());
			status.setRollbackOnly();
		});
		assertThat(this.fixture.things()).isEmpty();
		assertThat(begin()).isEqualTo(Status.NEW);
	}

	@Test
	void whatTheInboxReceivedIsDone() {
		this.fixture.receive("1");
		byte[] hash = this.fixture.jdbc.queryForObject("select content_hash from whizbang.wh_message_deduplication",
				byte[].class);
		assertThat(this.guard.begin(InboxFixture.SOURCE, "1", hash, LEASE).status()).isEqualTo(Status.DONE);
	}

	@Test
	void refusesNonsense() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.guard.begin(" ", "1", HASH, LEASE));
		assertThatIllegalArgumentException().isThrownBy(() -> this.guard.begin("mail", "", HASH, LEASE));
		assertThatIllegalArgumentException().isThrownBy(() -> this.guard.begin("mail", "1", new byte[0], LEASE));
		assertThatIllegalArgumentException().isThrownBy(() -> this.guard.begin("mail", "1", HASH, Duration.ZERO));
	}

	@Test
	void exactlyOneOf50ConcurrentCallersGetsTheMessage() throws Exception {
		try (HikariDataSource pool = this.database.createPool(50)) {
			InboxGuard shared = new JdbcInboxGuard(pool, "whizbang", InboxSettings.defaults(), WorkListener.NONE);
			CountDownLatch start = new CountDownLatch(1);
			List<CompletableFuture<Status>> answers = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				CompletableFuture<Status> answer = new CompletableFuture<>();
				answers.add(answer);
				new Thread(() -> {
					try {
						start.await();
						answer.complete(shared.begin("mail", "1", HASH, LEASE).status());
					}
					catch (Exception ex) {
						answer.completeExceptionally(ex);
					}
				}).start();
			}
			start.countDown();
			List<Status> statuses = new ArrayList<>();
			for (CompletableFuture<Status> answer : answers) {
				statuses.add(answer.get(60, TimeUnit.SECONDS));
			}
			assertThat(Collections.frequency(statuses, Status.NEW)).isEqualTo(1);
			assertThat(Collections.frequency(statuses, Status.IN_PROGRESS)).isEqualTo(49);
		}
	}

}
