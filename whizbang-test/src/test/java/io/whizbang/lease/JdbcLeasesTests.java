package io.whizbang.lease;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@PostgresTest
class JdbcLeasesTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final PostgresDatabase database;

	private final LeaseFixture fixture;

	private final JdbcLeases here;

	private final JdbcLeases there;

	JdbcLeasesTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new LeaseFixture(database);
		this.here = this.fixture.instance("here");
		this.there = this.fixture.instance("there");
	}

	@AfterEach
	void release() {
		this.here.releaseAll();
		this.there.releaseAll();
	}

	private Lease acquire(JdbcLeases leases) {
		return leases.tryAcquire("a", MINUTE).orElseThrow();
	}

	@Test
	void aLeaseIsHeldByOneUntilItIsClosed() {
		Lease lease = acquire(this.here);
		assertThat(lease.isHeld()).isTrue();
		assertThat(lease.name()).isEqualTo("a");
		assertThat(lease.remaining()).isBetween(Duration.ofSeconds(50), MINUTE);
		assertThat(this.there.tryAcquire("a", MINUTE)).isEmpty();
		assertThat(this.here.tryAcquire("a", MINUTE)).as("the same instance once more").isEmpty();
		assertThat(this.there.tryAcquire("b", MINUTE)).isPresent();
		lease.close();
		lease.close();
		assertThat(lease.isHeld()).isFalse();
		assertThat(lease.remaining()).isZero();
		assertThat(acquire(this.there).token()).isGreaterThan(lease.token());
		assertThat(this.fixture.heard).containsExactly("acquired other", "refused other", "refused other",
				"acquired other", "acquired other");
	}

	@Test
	void aReleasedLeaseIsNotLostButCannotBeWorkedUnder() {
		AtomicBoolean called = new AtomicBoolean();
		Lease lease = acquire(this.here);
		lease.onLost(() -> called.set(true));
		lease.close();
		lease.onLost(() -> called.set(true));
		assertThat(called).isFalse();
		assertThat(lease.renewNow()).isFalse();
		assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::throwIfLost)
			.withMessageContaining("\"a\"")
			.withMessageContaining("token " + lease.token())
			.withMessageContaining("it was released");
	}

	@Test
	void whoHasALeaseIsToldByTheDatabase() {
		Lease lease = acquire(this.here);
		assertThat(this.there.find("a")).hasValueSatisfying((holder) -> {
			assertThat(holder.token()).isEqualTo(lease.token());
			assertThat(holder.holder()).isEqualTo("here@localhost:1");
			assertThat(Duration.between(holder.acquiredAt(), holder.expiresAt())).isEqualTo(MINUTE);
		});
		assertThat(this.there.list()).hasSize(1);
		assertThat(this.there.find("b")).isEmpty();
	}

	@Test
	void aLeaseIsRenewedInTimeAndInOneStatementWithOthers() {
		JdbcLeases leases = this.fixture.instance("renewing", LeaseSettings.defaults().withRenewal(0.6, 0));
		Duration duration = Duration.ofSeconds(2);
		long start = System.nanoTime();
		Lease one = leases.tryAcquire("one", duration).orElseThrow();
		Lease two = leases.tryAcquire("two", duration).orElseThrow();
		LeaseHolder before = this.there.find("one").orElseThrow();
		Await.until("a renewal", () -> renewedAfter("one", before));
		Duration took = Duration.between(before.acquiredAt(), this.there.find("one").orElseThrow().renewedAt());
		assertThat(took).isGreaterThanOrEqualTo(Duration.ofMillis(1150));
		assertThat(this.there.find("two").orElseThrow().renewedAt())
			.isEqualTo(this.there.find("one").orElseThrow().renewedAt());
		Await.until("the leases to outlive their duration",
				() -> System.nanoTime() - start > duration.multipliedBy(2).toNanos());
		assertThat(one.isHeld() && two.isHeld()).isTrue();
		assertThat(this.there.find("one").orElseThrow().token()).as("the token of a renewed lease")
			.isEqualTo(one.token());
		one.close();
		two.close();
		assertThat(this.fixture.rows()).isZero();
	}

	private boolean renewedAfter(String name, LeaseHolder before) {
		return this.there.find(name).orElseThrow().renewedAt().isAfter(before.renewedAt());
	}

	@Test
	void aLeaseThatIsNotToBeRenewedEndsByItself() {
		AtomicInteger calls = new AtomicInteger();
		Lease lease = this.here
			.tryAcquire("a", LeaseOptions.lasting(Duration.ofMillis(300)).withoutRenewal().withLabel("mine"))
			.orElseThrow();
		lease.onLost(calls::incrementAndGet);
		Await.until("the callback", () -> calls.get() == 1);
		assertThat(lease.isHeld()).isFalse();
		lease.onLost(calls::incrementAndGet);
		assertThat(calls).as("calls, one of them at once").hasValue(2);
		assertThat(this.fixture.heard).contains("lost mine");
		lease.close();
		assertThat(this.there.acquire("a", MINUTE, MINUTE)).isPresent();
	}

	@Test
	void aLeaseCanBeRenewedByHand() {
		Lease lease = this.here.tryAcquire("a", LeaseOptions.lasting(MINUTE).withoutRenewal()).orElseThrow();
		LeaseHolder before = this.there.find("a").orElseThrow();
		// More must have passed than a renewal takes, or its own time would count.
		Duration most = lease.remaining().minusMillis(500);
		Await.until("some of the lease has passed", () -> lease.remaining().compareTo(most) < 0);
		assertThat(lease.renewNow()).isTrue();
		assertThat(lease.remaining()).isGreaterThan(most);
		LeaseHolder after = this.there.find("a").orElseThrow();
		assertThat(after.expiresAt()).isAfter(before.expiresAt());
		assertThat(after.token()).as("the token, which counts acquisitions").isEqualTo(lease.token());
	}

	@Test
	void aLeaseThatTheDatabaseHasGivenAwayIsLostAtTheNextRenewal() {
		AtomicBoolean called = new AtomicBoolean();
		Lease lease = acquire(this.here);
		lease.onLost(() -> {
			throw new IllegalStateException("one callback fails");
		});
		lease.onLost(() -> called.set(true));
		this.fixture.clock.advance(MINUTE);
		Lease successor = acquire(this.there);
		assertThat(lease.renewNow()).isFalse();
		assertThat(lease.isHeld()).isFalse();
		assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::throwIfLost)
			.withMessageContaining("somebody else's");
		Await.until("the callback", called::get);
		lease.close();
		assertThat(this.there.find("a").orElseThrow().token()).isEqualTo(successor.token())
			.isGreaterThan(lease.token());
	}

	@Test
	void whoWaitsIsWokenByAReleaseInTheSameInstance() {
		JdbcLeases patient = this.fixture.instance("patient",
				LeaseSettings.defaults().withMaxPause(Duration.ofMinutes(10)));
		Lease lease = patient.tryAcquire("a", Duration.ofHours(1)).orElseThrow();
		CompletableFuture<Optional<Lease>> waiting = CompletableFuture
			.supplyAsync(() -> patient.acquire("a", MINUTE, Duration.ofMinutes(5)));
		Await.until("a pause of several seconds", () -> isWaiting(waiting));
		lease.close();
		assertThat(waiting).succeedsWithin(Duration.ofSeconds(5))
			.satisfies((acquired) -> assertThat(acquired).isPresent());
		patient.releaseAll();
	}

	private static boolean isWaiting(CompletableFuture<?> future) {
		return !future.isDone() && Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.anyMatch((thread) -> thread.getKey().getState() == Thread.State.TIMED_WAITING
					&& List.of(thread.getValue()).toString().contains("LeaseWaiters"));
	}

	@Test
	void whoWaitsGetsTheLeaseOfAnotherInstanceSoonAfterItIsFree() {
		Lease lease = acquire(this.here);
		CompletableFuture<Optional<Lease>> waiting = CompletableFuture
			.supplyAsync(() -> this.there.acquire("a", MINUTE, MINUTE));
		Await.until("a pause", () -> isWaiting(waiting));
		lease.close();
		assertThat(waiting).succeedsWithin(Duration.ofSeconds(5))
			.satisfies((acquired) -> assertThat(acquired).isPresent());
	}

	@Test
	void whoWaitsInVainGetsNothing() {
		acquire(this.here);
		assertThat(this.there.acquire("a", MINUTE, Duration.ofMillis(200))).isEmpty();
		assertThat(this.there.acquire("a", MINUTE, Duration.ZERO)).isEmpty();
	}

	@Test
	void whoIsInterruptedStopsWaitingAndStaysInterrupted() throws Exception {
		acquire(this.here);
		AtomicBoolean interrupted = new AtomicBoolean();
		Thread thread = new Thread(() -> {
			assertThat(this.there.acquire("a", MINUTE, MINUTE)).isEmpty();
			interrupted.set(Thread.currentThread().isInterrupted());
		});
		thread.start();
		Await.until("a pause", () -> thread.getState() == Thread.State.TIMED_WAITING);
		thread.interrupt();
		thread.join(10_000);
		assertThat(interrupted).isTrue();
	}

	@Test
	void somethingRunsWithALeaseOrNotAtAll() {
		AtomicInteger runs = new AtomicInteger();
		assertThat(this.here.runWith("a", MINUTE, () -> {
			runs.incrementAndGet();
			assertThat(CurrentLease.get()).isNotNull();
			CurrentLease.throwIfLost();
			assertThat(this.there.runWith("a", MINUTE, () -> runs.incrementAndGet())).isFalse();
		})).isTrue();
		assertThat(runs).hasValue(1);
		assertThat(CurrentLease.get()).isNull();
		assertThatIllegalStateException().isThrownBy(CurrentLease::throwIfLost);
		assertThat(this.there.callWith("a", MINUTE, Lease::token)).isPresent();
		assertThat(this.fixture.rows()).isZero();
	}

	@Test
	void aLeaseIsReleasedWhenWhatRunsWithItFails() {
		assertThatIllegalStateException().isThrownBy(() -> this.here.runWith("a", MINUTE, () -> {
			throw new IllegalStateException("failed");
		})).withMessage("failed");
		assertThat(this.fixture.rows()).isZero();
	}

	@Test
	void whoHasLostTheLeaseIsToldAtTheEnd() {
		assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> this.here.runWith("a", MINUTE, (lease) -> {
			this.fixture.jdbc.update("delete from whizbang.wh_leases");
			lease.renewNow();
		}));
	}

	@Test
	void aLeaseIsApartFromTheTransactionAroundIt() {
		TransactionTemplate transaction = new TransactionTemplate(
				new JdbcTransactionManager(this.database.dataSource()));
		transaction.executeWithoutResult((status) -> {
			acquire(this.here);
			assertThat(this.fixture.rows()).as("seen by others at once").isOne();
			status.setRollbackOnly();
		});
		assertThat(this.there.tryAcquire("a", MINUTE)).isEmpty();
	}

	@Test
	void noConnectionIsHeldWhileALeaseIs() {
		try (HikariDataSource pool = this.database.createPool(1)) {
			JdbcLeases leases = this.fixture.instance("poor", pool);
			try (Lease one = leases.tryAcquire("one", MINUTE).orElseThrow();
					Lease two = leases.tryAcquire("two", MINUTE).orElseThrow()) {
				assertThat(new JdbcTemplate(pool).queryForObject("select 1", Integer.class)).isOne();
				assertThat(one.renewNow() && two.renewNow()).isTrue();
				assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
			}
		}
	}

	@Test
	void connectionsGoBackAsTheyWere() throws Exception {
		HikariConfig config = new HikariConfig();
		config.setDataSource(this.database.unpooledDataSource());
		config.setMaximumPoolSize(1);
		config.setAutoCommit(false);
		config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
		try (HikariDataSource pool = new HikariDataSource(config)) {
			JdbcLeases leases = this.fixture.instance("strict", pool);
			leases.tryAcquire("a", MINUTE).orElseThrow().close();
			try (Connection connection = pool.getConnection()) {
				assertThat(connection.getNetworkTimeout()).isZero();
				assertThat(connection.getAutoCommit()).isFalse();
				assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
			}
		}
	}

	@Test
	void aListenerThatFailsHarmsNobody() {
		LeaseListener broken = (LeaseListener) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LeaseListener.class }, (proxy, method, arguments) -> {
					throw new IllegalStateException("broken");
				});
		JdbcLeases leases = new JdbcLeases(this.fixture.table(), LeaseFixture.info("here"), LeaseSettings.defaults(),
				broken, null, Duration.ofMillis(20), System::nanoTime);
		Lease lease = leases.tryAcquire("a", Duration.ofMinutes(1)).orElseThrow();
		assertThat(leases.tryAcquire("a", Duration.ofMinutes(1))).isEmpty();
		AtomicBoolean lost = new AtomicBoolean();
		lease.onLost(() -> lost.set(true));
		this.fixture.jdbc.update("delete from whizbang.wh_leases");
		assertThat(lease.renewNow()).isFalse();
		Await.until("the callback", lost::get);
	}

	@Test
	void anAcquisitionWhoseAnswerWasLostIsTakenBackAlsoWhenItIsCommittedLater() {
		JdbcLeaseTable table = this.fixture.table();
		AbandonedLeases abandoned = new AbandonedLeases(table, new LeaseNews(List.of(), new LeaseWaiters(), null));
		UUID owner = UUID.randomUUID();
		abandoned.addUnsure("a", owner, Duration.ofHours(1), 0);
		abandoned.release(AbandonedLeases.PAUSE);
		assertThat(table.acquire("a", owner, "here", Duration.ofHours(1)).token()).isNotNull();
		abandoned.release(2 * AbandonedLeases.PAUSE);
		assertThat(this.fixture.rows()).isZero();
		assertThat(abandoned.isEmpty()).isTrue();
		abandoned.addUnsure("b", owner, Duration.ofHours(1), 0);
		abandoned.release(Duration.ofMinutes(1).toNanos());
		assertThat(abandoned.isEmpty()).as("by then nothing is under way any more").isTrue();
	}

	@Test
	void threadsEndWithTheLastLease() {
		JdbcLeases leases = this.fixture.instance("short");
		assertThat(leases.hasThreads()).isFalse();
		Lease lease = acquire(leases);
		assertThat(leases.hasThreads()).isTrue();
		lease.close();
		Await.until("the threads to end", () -> !leases.hasThreads());
		Lease next = acquire(leases);
		assertThat(leases.hasThreads()).isTrue();
		next.close();
	}

	@Test
	void allLeasesAreReleasedWhenTheApplicationStops() {
		AtomicBoolean called = new AtomicBoolean();
		Lease lease = acquire(this.here);
		lease.onLost(() -> called.set(true));
		assertThat(this.here.tryAcquire("b", LeaseOptions.lasting(MINUTE).withAtLeast(MINUTE))).isPresent();
		assertThat(this.here.held()).isEqualTo(2);
		new LeaseLifecycle(this.here, null).stop();
		assertThat(this.here.held()).isZero();
		assertThat(lease.isHeld()).isFalse();
		Await.until("the holder to hear of it", called::get);
		assertThat(this.there.list()).extracting(LeaseHolder::name).containsExactly("b");
	}

	@Test
	void badValuesAreRefusedWithTheValueAndTheRule() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.here.tryAcquire(" ", MINUTE))
			.withMessageContaining("must not be blank but is \" \"");
		assertThatIllegalArgumentException().isThrownBy(() -> this.here.tryAcquire("x".repeat(201), MINUTE))
			.withMessageContaining("at most 200 characters")
			.withMessageContaining("has 201");
		assertThatIllegalArgumentException().isThrownBy(() -> this.here.tryAcquire("a\0", MINUTE))
			.withMessageContaining("U+0000");
		assertThatIllegalArgumentException().isThrownBy(() -> this.here.find(""));
		for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofMillis(99),
				Duration.ofDays(1).plusMillis(1), Duration.ofSeconds(Long.MAX_VALUE))) {
			assertThatIllegalArgumentException().isThrownBy(() -> this.here.tryAcquire("a", wrong))
				.withMessageContaining("must be from PT0.1S to PT24H but is " + wrong);
		}
		assertThatIllegalArgumentException().isThrownBy(() -> this.here.acquire("a", MINUTE, Duration.ofSeconds(-1)))
			.withMessageContaining("must not be negative but is PT-1S");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LeaseOptions.lasting(MINUTE).withAtLeast(Duration.ofSeconds(-1)))
			.withMessageContaining("but is PT-1S");
		assertThatIllegalArgumentException().isThrownBy(() -> this.here.list(null, 0))
			.withMessageContaining("from 1 to 1000 but is 0");
		assertThat(this.here.tryAcquire("x".repeat(200), Duration.ofDays(1))).isPresent();
	}

}
