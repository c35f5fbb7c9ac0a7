package io.whizbang.lease;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.TcpProxy;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Leases while the database is away, slow or begins anew.
 */
@PostgresTest
class LeaseOutageTests {

	private static final Duration LEASE = Duration.ofSeconds(2);

	private final PostgresDatabase database;

	private final LeaseFixture fixture;

	LeaseOutageTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new LeaseFixture(database);
	}

	@Test
	void anInstanceThatCannotReachTheDatabaseKnowsThatItsLeaseIsOverBeforeItIs() {
		try (TcpProxy wire = wire(); HikariDataSource pool = pool(wire)) {
			JdbcLeases leases = this.fixture.instance("far", pool);
			Lease lease = leases.tryAcquire("a", LEASE).orElseThrow();
			CompletableFuture<Instant> over = new CompletableFuture<>();
			lease.onLost(() -> over.complete(now()));
			wire.cut();
			Instant known = over.join();
			assertThat(lease.isHeld()).isFalse();
			Instant expiry = this.fixture.jdbc
				.queryForObject("select expires_at from whizbang.wh_leases", OffsetDateTime.class)
				.toInstant();
			assertThat(known).as("the holder knew it").isBefore(expiry);
			assertThat(this.fixture.heard).contains("renewal failed", "lost other");
			assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::throwIfLost)
				.withMessageContaining("could not be renewed in time");
			lease.close();
		}
	}

	private Instant now() {
		return this.fixture.jdbc.queryForObject("select clock_timestamp()", OffsetDateTime.class).toInstant();
	}

	@Test
	void aShortOutageIsSurvived() {
		try (TcpProxy wire = wire(); HikariDataSource pool = pool(wire)) {
			JdbcLeases leases = this.fixture.instance("far", pool);
			Lease lease = leases.tryAcquire("a", Duration.ofSeconds(10)).orElseThrow();
			wire.cut();
			Await.until("a renewal to fail", () -> this.fixture.heard.contains("renewal failed"));
			assertThat(leases.consecutiveFailures()).isPositive();
			wire.mend();
			Await.until("a renewal", () -> leases.consecutiveFailures() == 0);
			assertThat(lease.isHeld()).isTrue();
			lease.close();
			assertThat(this.fixture.rows()).isZero();
		}
	}

	@Test
	void theLossIsToldWhileARenewalHangs() throws Exception {
		try (HikariDataSource pool = this.database.createPool(1)) {
			Lease lease = this.fixture.instance("here", pool).tryAcquire("a", LEASE).orElseThrow();
			AtomicBoolean told = new AtomicBoolean();
			lease.onLost(() -> told.set(true));
			try (Connection last = pool.getConnection()) {
				Await.until("the callback", told::get);
				assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection()).as("renewals that hang").isOne();
				assertThat(last.isClosed()).isFalse();
			}
			assertThat(lease.isHeld()).isFalse();
		}
	}

	@Test
	void aStatementThatHangsIsGivenUpAndTriedAgain() throws Exception {
		JdbcLeases leases = this.fixture.instance("here");
		Lease lease = leases.tryAcquire("a", Duration.ofSeconds(5)).orElseThrow();
		try (Connection blocker = this.database.unpooledDataSource().getConnection()) {
			blocker.setAutoCommit(false);
			blocker.createStatement().execute("select from whizbang.wh_leases for update");
			Await.until("a renewal to be given up", () -> leases.consecutiveFailures() > 0);
			blocker.rollback();
		}
		Await.until("a renewal", () -> leases.consecutiveFailures() == 0);
		assertThat(lease.isHeld()).isTrue();
		lease.close();
	}

	@Test
	void aReleaseThatCouldNotBeSentIsSentLater() {
		try (TcpProxy wire = wire(); HikariDataSource pool = pool(wire)) {
			Lease lease = this.fixture.instance("far", pool).tryAcquire("a", Duration.ofHours(1)).orElseThrow();
			wire.cut();
			lease.close();
			assertThat(lease.isHeld()).isFalse();
			assertThat(this.fixture.rows()).isOne();
			wire.mend();
			Await.until("the release", () -> this.fixture.rows() == 0);
		}
	}

	@Test
	void anAcquisitionWhoseAnswerWasLostIsTakenBack() {
		this.fixture.jdbc.execute("""
				create or replace function hang() returns trigger language plpgsql as $$
				begin
				    if new.holder like 'far@%' then perform pg_advisory_xact_lock(4712); end if;
				    return null;
				end $$;
				create constraint trigger hang after insert on whizbang.wh_leases
				    deferrable initially deferred for each row execute function hang()""");
		try (TcpProxy wire = wire();
				HikariDataSource pool = pool(wire);
				Connection gate = this.database.unpooledDataSource().getConnection()) {
			gate.createStatement().execute("select pg_advisory_lock(4712)");
			CompletableFuture<Optional<Lease>> acquiring = CompletableFuture
				.supplyAsync(() -> this.fixture.instance("far", pool).tryAcquire("a", Duration.ofHours(1)));
			Await.until("the commit to hang", this::isHanging);
			wire.cut();
			assertThat(acquiring).failsWithin(Await.PATIENCE)
				.withThrowableThat()
				.withCauseInstanceOf(DataAccessException.class);
			gate.createStatement().execute("select pg_advisory_unlock(4712)");
			Await.until("the commit", () -> this.fixture.rows() == 1);
			wire.mend();
			Await.until("the lease nobody knows of to go", () -> this.fixture.rows() == 0);
		}
		catch (SQLException ex) {
			throw new AssertionError(ex);
		}
		finally {
			this.fixture.jdbc.execute("drop trigger hang on whizbang.wh_leases");
		}
	}

	private boolean isHanging() {
		return Boolean.TRUE.equals(this.fixture.jdbc.queryForObject(
				"select exists (select from pg_locks where locktype = 'advisory' and objid = 4712 and not granted)",
				Boolean.class));
	}

	@Test
	void whoWaitsForALeaseOutwaitsTheDatabase() {
		try (TcpProxy wire = wire(); HikariDataSource pool = pool(wire)) {
			JdbcLeases leases = this.fixture.instance("far", pool);
			wire.cut();
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> leases.acquire("a", LEASE, Duration.ofMillis(300)));
			CompletableFuture<Optional<Lease>> waiting = CompletableFuture
				.supplyAsync(() -> leases.acquire("a", LEASE, Duration.ofMinutes(1)));
			wire.mend();
			assertThat(waiting).succeedsWithin(Duration.ofSeconds(30))
				.satisfies((lease) -> assertThat(lease).isPresent());
			waiting.join().orElseThrow().close();
		}
	}

	@Test
	void aLeaseOutlivesARestartOfTheDatabaseAndTokensGoOnAfterACrash() {
		try (EmbeddedPostgresServer server = EmbeddedPostgresServer.create();
				PostgresDatabase restarted = server.server().createDatabase("lease");
				HikariDataSource pool = restarted.createPool(4)) {
			new SchemaInstaller(pool, SchemaSettings.defaults()).install();
			pool.setConnectionTimeout(1000);
			JdbcLeases leases = this.fixture.instance("here", pool);
			JdbcLeases others = this.fixture.instance("there", pool);
			Lease lease = leases.tryAcquire("a", Duration.ofSeconds(30)).orElseThrow();
			server.restart();
			Await.until("a renewal after the restart", () -> renews(lease));
			assertThat(others.tryAcquire("a", LEASE)).isEmpty();
			server.crash();
			server.start();
			Await.until("a renewal after the crash", () -> renews(lease));
			assertThat(others.tryAcquire("a", LEASE)).isEmpty();
			assertThat(lease.isHeld()).isTrue();
			lease.close();
			assertThat(others.acquire("a", LEASE, Duration.ofSeconds(20)).orElseThrow().token())
				.isGreaterThan(lease.token());
			others.releaseAll();
		}
	}

	private static boolean renews(Lease lease) {
		try {
			return lease.renewNow();
		}
		catch (DataAccessException ex) {
			return false;
		}
	}

	private PGSimpleDataSource direct() {
		return (PGSimpleDataSource) this.database.unpooledDataSource();
	}

	private TcpProxy wire() {
		return new TcpProxy(direct().getServerNames()[0], direct().getPortNumbers()[0]);
	}

	private HikariDataSource pool(TcpProxy wire) {
		PGSimpleDataSource remote = new PGSimpleDataSource();
		remote.setUrl(this.database.jdbcUrl());
		remote.setServerNames(new String[] { "localhost" });
		remote.setPortNumbers(new int[] { wire.port() });
		remote.setUser(this.database.server().username());
		remote.setPassword(this.database.server().password());
		HikariConfig config = new HikariConfig();
		config.setDataSource(remote);
		config.setMaximumPoolSize(3);
		config.setMinimumIdle(0);
		config.setConnectionTimeout(500);
		return new HikariDataSource(config);
	}

}
