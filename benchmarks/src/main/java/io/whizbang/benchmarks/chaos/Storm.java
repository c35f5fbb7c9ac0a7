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

import org.springframework.dao.DataAccessException;

/**
 * Instances are processes that are killed, frozen and replaced, the database is restarted
 * and crashed, and producers go on all the time. Ends with code 1 when a promise was
 * broken.
 */
public final class Storm {

	private static final Duration BETWEEN_ATTACKS = Duration.ofSeconds(2);

	private static final Duration DRAINING = Duration.ofMinutes(3);

	private final Map<Attack, Integer> attacks = new EnumMap<>(Attack.class);

	private final List<InstanceProcess> instances = new ArrayList<>();

	private final Map<InstanceProcess, Long> frozen = new HashMap<>();

	private final List<Thread> producers = new ArrayList<>();

	private final AtomicBoolean producing = new AtomicBoolean(true);

	private final AtomicBoolean crowded = new AtomicBoolean();

	private final AtomicLong committed = new AtomicLong();

	private final Troubles troubles = new Troubles();

	private final StormSettings settings;

	private final StormDatabase database;

	private final StormChecks checks;

	private final Random random;

	private Storm(StormSettings settings, StormDatabase database) {
		this.settings = settings;
		this.database = database;
		this.checks = new StormChecks(database.jdbc(), this.troubles);
		this.random = new Random(settings.seed());
		for (int i = 0; i < settings.producers(); i++) {
			this.producers
				.add(new Thread(new StormProducer(database, settings, this.troubles, new Random(this.random.nextLong()),
						this.committed, () -> !this.crowded.get(), this.producing::get)));
		}
	}

	public static void main(String[] arguments) throws InterruptedException {
		StormSettings settings = StormSettings.of(arguments);
		System.out.println(settings);
		boolean calm;
		try (StormDatabase database = new StormDatabase()) {
			calm = new Storm(settings, database).run();
		}
		System.exit(calm ? 0 : 1);
	}

	private boolean run() throws InterruptedException {
		this.producers.forEach(Thread::start);
		long start = System.nanoTime();
		long nextAttack = start;
		long nextReport = start;
		while (System.nanoTime() - start < this.settings.time().toNanos()) {
			LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
			thaw(System.nanoTime());
			look();
			if (System.nanoTime() - nextAttack > 0) {
				attack();
				nextAttack = System.nanoTime() + BETWEEN_ATTACKS.toNanos();
			}
			if (System.nanoTime() - nextReport > 0) {
				report(System.nanoTime() - start);
				nextReport = System.nanoTime() + Duration.ofSeconds(10).toNanos();
			}
		}
		this.producing.set(false);
		for (Thread producer : this.producers) {
			producer.join();
		}
		thaw(Long.MAX_VALUE);
		drain();
		this.instances.forEach(InstanceProcess::stop);
		this.instances.forEach(InstanceProcess::awaitEnd);
		this.checks.conclude();
		report(System.nanoTime() - start);
		System.out.println("END " + this.troubles);
		return this.troubles.isEmpty();
	}

	private void drain() {
		long start = System.nanoTime();
		while (this.database.count("whizbang.wh_messages") > 0 && System.nanoTime() - start < DRAINING.toNanos()) {
			this.instances.removeIf((instance) -> !instance.isAlive());
			if (this.instances.isEmpty()) {
				perform(Attack.START);
			}
			LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
		}
		System.out.printf("drained in %.1f s%n", (System.nanoTime() - start) / 1e9);
	}

	private void look() {
		try {
			this.checks.sample();
			this.crowded.set(this.database.count("whizbang.wh_messages") > this.settings.backlog());
		}
		catch (DataAccessException ex) {
			System.out.println("No look at the database: " + ex.getMessage());
		}
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
				this.instances.add(InstanceProcess.start(DeliveryProcess.class, this.database.url(), this.troubles));
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
		System.out.printf("%.0f s: %d committed, %d delivered, %d waiting, %d dead, %d instances, %s, %s%n",
				nanos / 1e9, this.committed.get(), this.database.count("storm_delivery"),
				this.database.count("whizbang.wh_messages"), this.database.count("whizbang.wh_dead_letters"),
				this.instances.size(), this.attacks, this.troubles);
	}

	/** What happens to instances and to the database. */
	private enum Attack {

		START, KILL, STOP, FREEZE, RESTART_DATABASE, CRASH_DATABASE;

		boolean isRare() {
			return this == RESTART_DATABASE || this == CRASH_DATABASE;
		}

	}

}
