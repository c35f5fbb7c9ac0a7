package io.whizbang.lease;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.whizbang.lease.JdbcLeaseTable.Answer;
import io.whizbang.lease.JdbcLeaseTable.Held;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the database answers, by its own clock.
 */
@PostgresTest
class LeaseTableTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final LeaseFixture fixture;

	private final JdbcLeaseTable table;

	private final Owner first = Owner.of("a");

	private final Owner second = Owner.of("a");

	LeaseTableTests(PostgresDatabase database) {
		this.fixture = new LeaseFixture(database);
		this.table = this.fixture.table();
	}

	@BeforeEach
	void stopTheClock() {
		this.fixture.clock.freeze();
	}

	private Answer acquire(Owner owner) {
		return this.table.acquire(owner.name(), owner.owner(), "test", MINUTE);
	}

	private long token(Owner owner) {
		Long token = acquire(owner).token();
		assertThat(token).isNotNull();
		return token;
	}

	private boolean renew(Owner owner) {
		return this.table.renew(List.of(owner), MINUTE).contains(owner.owner());
	}

	@Test
	void aFreeLeaseIsAcquired() {
		assertThat(acquire(this.first).token()).isPositive();
	}

	@Test
	void anOccupiedLeaseIsRefusedWithTheTimeThatItIsHeldFor() {
		token(this.first);
		this.fixture.clock.advance(Duration.ofSeconds(20));
		assertThat(acquire(this.second)).isEqualTo(new Answer(null, Duration.ofSeconds(40)));
	}

	@Test
	void anExpiredLeaseGoesToTheNextWithAHigherToken() {
		long token = token(this.first);
		this.fixture.clock.advance(MINUTE);
		assertThat(token(this.second)).isGreaterThan(token);
	}

	@Test
	void aLeaseLastsToItsLastMoment() {
		token(this.first);
		this.fixture.clock.advance(MINUTE.minusNanos(1000));
		assertThat(acquire(this.second).token()).isNull();
	}

	@Test
	void anOwnerThatAsksAgainGetsWhatItHas() {
		long token = token(this.first);
		assertThat(token(this.first)).isGreaterThan(token);
		assertThat(acquire(this.second).token()).isNull();
	}

	@Test
	void aRenewedLeaseLastsItsWholeDurationFromNowOn() {
		token(this.first);
		this.fixture.clock.advance(Duration.ofSeconds(40));
		assertThat(renew(this.first)).isTrue();
		this.fixture.clock.advance(Duration.ofSeconds(59));
		assertThat(acquire(this.second)).isEqualTo(new Answer(null, Duration.ofSeconds(1)));
		this.fixture.clock.advance(Duration.ofSeconds(1));
		assertThat(acquire(this.second).token()).isNotNull();
	}

	@Test
	void onlyItsOwnerRenewsALease() {
		token(this.first);
		assertThat(renew(this.second)).isFalse();
	}

	@Test
	void anExpiredLeaseIsNotRenewed() {
		token(this.first);
		this.fixture.clock.advance(MINUTE);
		assertThat(renew(this.first)).isFalse();
	}

	@Test
	void manyLeasesAreRenewedAtOnceAndOnlyThoseThatAreHeld() {
		Owner other = Owner.of("b");
		Owner gone = Owner.of("c");
		token(this.first);
		token(other);
		assertThat(this.table.renew(List.of(gone, other, this.second, this.first), MINUTE))
			.containsExactlyInAnyOrder(this.first.owner(), other.owner());
	}

	@Test
	void aReleasedLeaseLeavesNoRowAndIsFree() {
		long token = token(this.first);
		assertThat(this.table.release(List.of(this.first))).containsExactly("a");
		assertThat(this.fixture.rows()).isZero();
		assertThat(token(this.second)).isGreaterThan(token);
	}

	@Test
	void aFormerOwnerReleasesNothing() {
		token(this.first);
		this.fixture.clock.advance(MINUTE);
		long token = token(this.second);
		assertThat(this.table.release(List.of(this.first))).isEmpty();
		assertThat(this.table.list("a", null, 1)).extracting(LeaseHolder::token).containsExactly(token);
	}

	@Test
	void aLeaseThatIsToLastLongerIsFreeOnlyThen() {
		token(this.first);
		this.fixture.clock.advance(Duration.ofSeconds(5));
		Owner patient = new Owner("a", this.first.owner(), Duration.ofSeconds(30));
		assertThat(this.table.release(List.of(patient))).isEmpty();
		assertThat(acquire(this.second)).isEqualTo(new Answer(null, Duration.ofSeconds(25)));
		this.fixture.clock.advance(Duration.ofSeconds(25));
		assertThat(acquire(this.second).token()).isNotNull();
	}

	@Test
	void aDatabaseClockThatWasPutBackDoesNotKeepAReleasedLease() {
		token(this.first);
		this.fixture.clock.set(this.fixture.clock.now().minus(Duration.ofHours(1)));
		assertThat(this.table.release(List.of(this.first))).containsExactly("a");
	}

	@Test
	void holdersAreListedInPagesWithoutThoseWhoseTimeIsOver() {
		token(Owner.of("x"));
		this.fixture.clock.advance(MINUTE);
		List.of("c", "a", "b").forEach((name) -> token(Owner.of(name)));
		assertThat(this.table.list(null, null, 2)).extracting(LeaseHolder::name).containsExactly("a", "b");
		assertThat(this.table.list(null, "b", 2)).extracting(LeaseHolder::name).containsExactly("c");
		assertThat(this.table.list("x", null, 1)).isEmpty();
	}

	@Test
	void leasesThatExpiredLongAgoAreRemoved() {
		for (int i = 0; i < 25; i++) {
			token(Owner.of("old-" + i));
		}
		this.fixture.clock.advance(Duration.ofMinutes(62));
		token(this.first);
		assertThat(this.fixture.rows()).isEqualTo(6);
		token(Owner.of("b"));
		assertThat(this.fixture.rows()).isEqualTo(2);
	}

	@Test
	void callsCostTheSameHoweverManyLeasesThereAre() throws Exception {
		this.fixture.jdbc.execute("""
				insert into whizbang.wh_leases (name, token, owner, holder, acquired_at, renewed_at, expires_at)
				select 'n' || n, n, gen_random_uuid(), 'test', now(), now(), now() + interval '1 hour'
				from generate_series(1, 20000) n""");
		this.fixture.jdbc.execute("analyze whizbang.wh_leases");
		for (String call : List.of("acquire_lease('n1', gen_random_uuid(), 'test', 1000)",
				"acquire_lease('new', gen_random_uuid(), 'test', 1000)",
				"renew_leases(array['n1', 'n2'], array[gen_random_uuid(), gen_random_uuid()], array[1000, 1000])",
				"release_leases(array['n1', 'n2'], array[gen_random_uuid(), gen_random_uuid()], array[0, 0])",
				"list_leases('n1', null, 10)", "list_leases(null, 'n2', 10)")) {
			try (Connection connection = this.fixture.database.unpooledDataSource().getConnection();
					Statement statement = connection.createStatement()) {
				connection.setAutoCommit(false);
				statement.execute("select * from whizbang." + call);
				try (ResultSet rows = statement.executeQuery("""
						select pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid)
						from pg_class where oid = 'whizbang.wh_leases'::regclass""")) {
					rows.next();
					assertThat(rows.getLong(1)).as("rows that %s looks at", call).isLessThan(30);
				}
			}
		}
	}

	@Test
	void tokensGrowOverAllNames() {
		long last = 0;
		for (int i = 0; i < 50; i++) {
			Owner owner = Owner.of("n" + i % 3);
			long token = token(owner);
			assertThat(token).isGreaterThan(last);
			last = token;
			this.table.release(List.of(owner));
		}
	}

	@Test
	void tokensDoNotFallWhenTheDatabaseHasForgottenSome() {
		long token = token(this.first);
		// What a standby that took over looks like: empty unlogged tables, an older
		// sequence.
		this.fixture.jdbc.execute("delete from whizbang.wh_incarnation; delete from whizbang.wh_leases; "
				+ "select setval('whizbang.wh_lease_seq', 1)");
		long next = token(this.second);
		assertThat(next).isGreaterThan(token);
		this.table.release(List.of(this.second));
		assertThat(token(this.first)).as("one jump, not one for every token").isEqualTo(next + 1);
	}

	/**
	 * One caller has its token and is then held up; another one comes by. Whoever gets
	 * the lease later has the higher token.
	 */
	@Test
	void aCallerThatIsHeldUpDoesNotGetTheLeaseWithALowerTokenThanOneBeforeIt() throws Exception {
		this.fixture.jdbc.execute("""
				create or replace function hold_up() returns trigger language plpgsql as $$
				begin
				    if new.holder = 'slow' then
				        perform pg_advisory_xact_lock(4711);
				    end if;
				    return new;
				end $$;
				create or replace trigger hold_up before insert on whizbang.wh_leases
				    for each row execute function hold_up()""");
		try (Connection gate = this.fixture.database.unpooledDataSource().getConnection()) {
			gate.createStatement().execute("select pg_advisory_lock(4711)");
			CompletableFuture<Answer> slow = CompletableFuture
				.supplyAsync(() -> this.table.acquire("a", this.first.owner(), "slow", MINUTE));
			Await.until("the slow one to be held up", () -> waiting() == 1);
			CompletableFuture<Answer> fast = CompletableFuture.supplyAsync(() -> {
				Answer answer = this.table.acquire("a", this.second.owner(), "fast", MINUTE);
				this.table.release(List.of(this.second));
				return answer;
			});
			Await.until("the fast one to be done, or to wait", () -> fast.isDone() || waiting() == 2);
			boolean fastWasFirst = fast.isDone();
			gate.createStatement().execute("select pg_advisory_unlock(4711)");
			Long slowToken = slow.get().token();
			Long fastToken = fast.get().token();
			if (fastWasFirst) {
				assertThat(slowToken).isGreaterThan(fastToken);
			}
			else {
				assertThat(slowToken).isNotNull();
				assertThat(fastToken).isNull();
			}
		}
		finally {
			this.fixture.jdbc.execute("drop trigger hold_up on whizbang.wh_leases");
		}
	}

	private int waiting() {
		Integer count = this.fixture.jdbc.queryForObject(
				"select count(*) from pg_locks l join pg_stat_activity a using (pid) where not l.granted and datname = ?",
				Integer.class, this.fixture.database.name());
		return (count != null) ? count : 0;
	}

	/** An acquisition. */
	record Owner(String name, UUID owner, Duration atLeast) implements Held {

		static Owner of(String name) {
			return new Owner(name, UUID.randomUUID(), Duration.ZERO);
		}

		@Override
		public Duration duration() {
			return MINUTE;
		}

	}

}
