package io.whizbang.benchmarks.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.dao.DataAccessException;

/**
 * Writers append while instances, which are processes, come and go, and two perspectives
 * must apply every event once and in order. Ends with code 1 when one does not.
 */
public final class PerspectiveStorm {

	private static final Duration BETWEEN_ATTACKS = Duration.ofSeconds(2);

	private static final Duration DRAINING = Duration.ofMinutes(4);

	private final Map<Attack, Integer> attacks = new EnumMap<>(Attack.class);

	private final List<InstanceProcess> instances = new ArrayList<>();

	private final Map<InstanceProcess, Long> frozen = new HashMap<>();

	private final AtomicBoolean writing = new AtomicBoolean(true);

	private final AtomicLong committed = new AtomicLong();

	private final Troubles troubles = new Troubles();

	private final PerspectiveStormSettings settings;

	private final StormDatabase database;

	private final Random random;

	private PerspectiveStorm(PerspectiveStormSettings settings, StormDatabase database) {
		this.settings = settings;
		this.database = database;
		this.random = new Random(settings.seed());
		database.jdbc()
			.execute(
					"""
							create table storm_applied (id bigint generated always as identity, name text, stream_id uuid, version bigint,
							    position bigint);
							create table storm_fold (name text, stream_id uuid, events bigint, fold bigint, primary key (name, stream_id))""");
	}

	public static void main(String[] arguments) throws InterruptedException {
		PerspectiveStormSettings settings = PerspectiveStormSettings.of(arguments);
		System.out.println(settings);
		boolean calm;
		try (StormDatabase database = new StormDatabase()) {
			calm = new PerspectiveStorm(settings, database).run();
		}
		System.exit(calm ? 0 : 1);
	}

	private boolean run() throws InterruptedException {
		long start = System.nanoTime();
		NaiveReader naive = new NaiveReader(this.database.jdbc(), this.writing::get);
		try (HikariDataSource pool = this.database.database().createPool(this.settings.writers())) {
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < this.settings.writers(); i++) {
				threads.add(new Thread(new StormWriter(pool, this.settings, new Random(this.random.nextLong()),
						this.committed, this.writing::get)));
			}
			threads.add(new Thread(naive));
			threads.forEach(Thread::start);
			attackUntilWritten(start);
			this.writing.set(false);
			for (Thread thread : threads) {
				thread.join();
			}
		}
		thaw(Long.MAX_VALUE);
		drain();
		naive.read();
		this.instances.forEach(InstanceProcess::stop);
		this.instances.forEach(InstanceProcess::awaitEnd);
		new PerspectiveStormChecks(this.database.jdbc(), this.troubles).conclude();
		report(System.nanoTime() - start);
		conclude(naive);
		return this.troubles.isEmpty();
	}

	private void conclude(NaiveReader naive) {
		long events = this.database.count("whizbang.wh_events");
		if (events < this.settings.events()) {
			this.troubles.add("storm", "only " + events + " events");
		}
		System.out.printf("A reader of positions behind the last one has lost %d of %d events%n", events - naive.seen(),
				events);
		if (naive.seen() == events) {
			this.troubles.add("storm", "it does not bite: the naive reader has lost nothing");
		}
		System.out.println("END " + this.troubles);
	}

	private void attackUntilWritten(long start) {
		long nextAttack = start;
		long nextReport = start;
		while (System.nanoTime() - start < this.settings.time().toNanos()
				|| this.committed.get() < this.settings.events()) {
			LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
			thaw(System.nanoTime());
			if (System.nanoTime() - nextAttack > 0) {
				attack();
				nextAttack = System.nanoTime() + BETWEEN_ATTACKS.toNanos();
			}
			if (System.nanoTime() - nextReport > 0) {
				report(System.nanoTime() - start);
				nextReport = System.nanoTime() + Duration.ofSeconds(10).toNanos();
			}
		}
	}

	private void drain() {
		long start = System.nanoTime();
		while (this.database.count("storm_applied") < 2 * this.database.count("whizbang.wh_events")
				&& System.nanoTime() - start < DRAINING.toNanos()) {
			this.instances.removeIf((instance) -> !instance.isAlive());
			if (this.instances.isEmpty()) {
				perform(Attack.START);
			}
			LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
		}
		System.out.printf("drained in %.1f s%n", (System.nanoTime() - start) / 1e9);
	}

	private void attack() {
		this.instances.removeIf((instance) -> !instance.isAlive());
		Attack[] all = Attack.values();
		Attack attack = all[this.random.nextInt(all.length)];
		if (this.instances.size() < 2) {
			attack = Attack.START;
		}
		else if (attack == Attack.START && this.instances.size() >= this.settings.instances()) {
			return;
		}
		else if (attack.isRare() && this.random.nextInt(5) > 0) {
			return;
		}
		perform(attack);
	}

	private void perform(Attack attack) {
		this.attacks.merge(attack, 1, Integer::sum);
		switch (attack) {
			case START ->
				this.instances.add(InstanceProcess.start(PerspectiveProcess.class, this.database.url(), this.troubles));
			case KILL -> any().kill();
			case STOP -> {
				InstanceProcess leaving = any();
				leaving.thaw();
				leaving.stop();
				this.instances.remove(leaving);
			}
			case FREEZE -> {
				InstanceProcess instance = any();
				instance.freeze();
				this.frozen.put(instance,
						System.nanoTime() + Duration.ofMillis(500 + this.random.nextInt(12_000)).toNanos());
			}
			case END_SESSIONS -> this.database.database().terminateBackends();
			case RESTART_DATABASE -> this.database.restart();
			case CRASH_DATABASE -> this.database.crash();
		}
	}

	private InstanceProcess any() {
		return this.instances.get(this.random.nextInt(this.instances.size()));
	}

	private void thaw(long now) {
		this.frozen.entrySet().removeIf((entry) -> {
			boolean due = entry.getValue() <= now;
			if (due) {
				entry.getKey().thaw();
			}
			return due;
		});
	}

	private void report(long nanos) {
		try {
			System.out.printf("%.0f s: %d committed, %d sharded, %d global, %d instances, %s, %s%n", nanos / 1e9,
					this.committed.get(), count(StormPerspective.SHARDED), count(StormPerspective.GLOBAL),
					this.instances.size(), this.attacks, this.troubles);
		}
		catch (DataAccessException ex) {
			System.out.println("No look at the database: " + ex.getMessage());
		}
	}

	private long count(String name) {
		return this.database.count("storm_applied where name = '" + name + "'");
	}

	/** What happens to instances and to the database. */
	private enum Attack {

		START, KILL, STOP, FREEZE, END_SESSIONS, RESTART_DATABASE, CRASH_DATABASE;

		boolean isRare() {
			return this == END_SESSIONS || this == RESTART_DATABASE || this == CRASH_DATABASE;
		}

	}

}
