package io.whizbang.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Twenty contenders for one lease, whose sessions are killed and some of which forget to
 * release: never two at a time, and tokens that only grow.
 */
@PostgresTest
class LeaseStormTests {

	private static final int CONTENDERS = 20;

	private static final int TURNS = 600;

	private final LeaseFixture fixture;

	private final AtomicInteger inside = new AtomicInteger();

	private final AtomicInteger turns = new AtomicInteger();

	private final AtomicInteger refusals = new AtomicInteger();

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicLong highest = new AtomicLong();

	private final Set<Long> tokens = ConcurrentHashMap.newKeySet();

	private final Queue<String> wrongs = new ConcurrentLinkedQueue<>();

	LeaseStormTests(PostgresDatabase database) {
		this.fixture = new LeaseFixture(database);
	}

	@Test
	void neverDoTwoHoldTheLeaseAndTokensOnlyGrow() {
		long seed = Long.getLong("whizbang.test.seed", ThreadLocalRandom.current().nextLong());
		System.out.println("Storm of leases with -Dwhizbang.test.seed=" + seed);
		Random seeds = new Random(seed);
		List<Thread> threads = new ArrayList<>();
		try (HikariDataSource first = this.fixture.database.createPool(6);
				HikariDataSource second = this.fixture.database.createPool(6)) {
			for (int i = 0; i < CONTENDERS; i++) {
				JdbcLeases leases = this.fixture.instance("i" + i, (i % 2 == 0) ? first : second);
				Random random = new Random(seeds.nextLong());
				threads.add(new Thread(() -> contend(leases, random), "contender-" + i));
			}
			threads.forEach(Thread::start);
			Await.until(() -> "the storm of seed %d to end, after %d turns".formatted(seed, this.turns.get()),
					Duration.ofMinutes(3), () -> {
						killOne(seeds);
						return threads.stream().noneMatch(Thread::isAlive);
					});
		}
		assertThat(this.wrongs).as("of seed %d", seed).isEmpty();
		assertThat(this.turns.get()).isGreaterThanOrEqualTo(TURNS);
		assertThat(this.tokens).hasSize(this.turns.get());
		assertThat(this.refusals.get()).as("refusals").isPositive();
		assertThat(this.failures.get()).as("failures by killed sessions").isPositive();
	}

	private void killOne(Random random) {
		if (random.nextInt(5) == 0) {
			this.fixture.database.server()
				.administration()
				.queryForList("""
						select pg_terminate_backend(pid) from pg_stat_activity where datname = ?
						order by md5(pid::text || ?) limit 1""", this.fixture.database.name(),
						String.valueOf(random.nextInt()));
		}
	}

	private void contend(JdbcLeases leases, Random random) {
		while (this.turns.get() < TURNS) {
			try {
				boolean forgetful = random.nextInt(20) == 0;
				// Long enough for a machine that is busy; whoever forgets has left
				// before.
				LeaseOptions options = forgetful ? LeaseOptions.lasting(Duration.ofMillis(100)).withoutRenewal()
						: LeaseOptions.lasting(Duration.ofSeconds(20));
				Lease lease = (random.nextBoolean() ? leases.tryAcquire("a", options)
						: leases.acquire("a", options, Duration.ofMillis(random.nextInt(200))))
					.orElse(null);
				if (lease == null) {
					this.refusals.incrementAndGet();
					continue;
				}
				if (forgetful) {
					takeNote(lease);
				}
				else {
					work(lease, random);
				}
			}
			catch (DataAccessException ex) {
				this.failures.incrementAndGet();
			}
		}
		leases.releaseAll();
	}

	/** Only the token: by the time it is looked at the lease may have passed on. */
	private void takeNote(Lease lease) {
		checkNew(lease);
		this.highest.accumulateAndGet(lease.token(), Math::max);
		this.turns.incrementAndGet();
	}

	/** Also of those that others cannot be compared with. */
	private void checkNew(Lease lease) {
		if (!this.tokens.add(lease.token())) {
			this.wrongs.add("token %d was given out twice".formatted(lease.token()));
		}
	}

	private void work(Lease lease, Random random) {
		try (lease) {
			checkNew(lease);
			if (this.inside.incrementAndGet() != 1) {
				this.wrongs.add("two hold the lease, one of them with token " + lease.token());
			}
			long before = this.highest.getAndAccumulate(lease.token(), Math::max);
			if (before >= lease.token()) {
				this.wrongs.add("token %d came after %d".formatted(lease.token(), before));
			}
			if (random.nextInt(4) == 0) {
				renew(lease);
			}
			if (!lease.isHeld()) {
				this.wrongs.add("token %d was lost".formatted(lease.token()));
			}
			this.turns.incrementAndGet();
			this.inside.decrementAndGet();
		}
	}

	private void renew(Lease lease) {
		try {
			lease.renewNow();
		}
		catch (DataAccessException ex) {
			this.failures.incrementAndGet();
		}
	}

}
