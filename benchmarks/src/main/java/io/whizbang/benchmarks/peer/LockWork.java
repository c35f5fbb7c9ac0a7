package io.whizbang.benchmarks.peer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.lease.Lease;
import io.whizbang.lease.Leases;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Eight threads that take and release locks, each its own ones: ShedLock with the
 * database's time, as its README strongly recommends, and Whizbang's leases.
 */
final class LockWork implements Work {

	private static final int THREADS = 8;

	private static final int NAMES = 100;

	private static final Duration AT_MOST = Duration.ofMinutes(5);

	private final HikariDataSource dataSource;

	private final LockProvider provider;

	LockWork(String url) {
		this.dataSource = Pools.create(url);
		JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);
		jdbc.execute("""
				create table if not exists shedlock (name varchar(64) not null, lock_until timestamp not null,
				    locked_at timestamp not null, locked_by varchar(255) not null, primary key (name))""");
		this.provider = new JdbcTemplateLockProvider(
				JdbcTemplateLockProvider.Configuration.builder().withJdbcTemplate(jdbc).usingDbTime().build());
	}

	@Override
	public String version() {
		return Versions.of(LockProvider.class);
	}

	@Override
	public String settings() {
		return "usingDbTime (strongly recommended by its README); no renewal, no fencing token";
	}

	@Override
	public boolean keepsOrder() {
		return false;
	}

	@Override
	public Answer perform(Command command) throws Exception {
		return measure(this::lockOnce, Duration.ofSeconds(command.number("seconds")));
	}

	private boolean lockOnce(String name) {
		Optional<SimpleLock> lock = this.provider
			.lock(new LockConfiguration(Instant.now(), name, AT_MOST, Duration.ZERO));
		lock.ifPresent(SimpleLock::unlock);
		return lock.isPresent();
	}

	static Answer measure(Leases leases, Duration time) throws InterruptedException {
		return measure((name) -> {
			Optional<Lease> lease = leases.tryAcquire(name, AT_MOST);
			lease.ifPresent(Lease::close);
			return lease.isPresent();
		}, time);
	}

	private static Answer measure(Predicate<String> lock, Duration time) throws InterruptedException {
		run(lock, time.dividedBy(2));
		long start = System.nanoTime();
		long count = run(lock, time);
		return new Answer().with(Figures.LOCKS, count / ((System.nanoTime() - start) / 1e9));
	}

	private static long run(Predicate<String> lock, Duration time) throws InterruptedException {
		LongAdder count = new LongAdder();
		long end = System.nanoTime() + time.toNanos();
		List<Thread> threads = new ArrayList<>();
		for (int number = 0; number < THREADS; number++) {
			String prefix = "lock-" + number + "-";
			Thread thread = new Thread(() -> {
				for (int i = 0; System.nanoTime() - end < 0; i++) {
					if (!lock.test(prefix + i % NAMES)) {
						throw new IllegalStateException("A lock that nobody has was refused");
					}
					count.increment();
				}
			});
			threads.add(thread);
			thread.start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		return count.sum();
	}

	@Override
	public void close() {
		this.dataSource.close();
	}

}
