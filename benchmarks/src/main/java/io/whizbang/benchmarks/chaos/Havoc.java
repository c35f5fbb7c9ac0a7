package io.whizbang.benchmarks.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.springframework.dao.DataAccessException;

/**
 * The frame of every storm: instances are processes that are started, stopped, killed and
 * frozen, and the database is restarted and crashed.
 */
final class Havoc {

	private static final Duration BETWEEN_ATTACKS = Duration.ofSeconds(2);

	private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(10);

	private final Map<Attack, Integer> count = new EnumMap<>(Attack.class);

	private final List<InstanceProcess> instances = new ArrayList<>();

	private final Map<InstanceProcess, Long> frozen = new HashMap<>();

	private final Class<?> main;

	private final int most;

	private final List<Attack> attacks;

	private final StormDatabase database;

	private final Troubles troubles;

	private final Random random;

	/**
	 * Creates a frame.
	 * @param main what an instance runs
	 * @param most how many instances there are at most
	 * @param attacks what may happen
	 * @param database where it happens
	 * @param troubles where instances tell what must not happen
	 * @param random where chance comes from
	 */
	Havoc(Class<?> main, int most, Set<Attack> attacks, StormDatabase database, Troubles troubles, Random random) {
		this.main = main;
		this.most = most;
		this.attacks = attacks.stream().sorted().toList();
		this.database = database;
		this.troubles = troubles;
		this.random = random;
	}

	/**
	 * Attacks for as long as the storm lasts.
	 * @param lasts whether it does
	 * @param look done all the time in between, if the database lets it
	 * @param report tells now and then how it goes, if the database lets it
	 */
	void rage(BooleanSupplier lasts, Runnable look, Runnable report) {
		long nextAttack = System.nanoTime();
		long nextReport = nextAttack;
		while (lasts.getAsBoolean()) {
			LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
			thaw(System.nanoTime());
			ifPossible(look);
			if (System.nanoTime() - nextAttack > 0) {
				attack();
				nextAttack = System.nanoTime() + BETWEEN_ATTACKS.toNanos();
			}
			if (System.nanoTime() - nextReport > 0) {
				ifPossible(report);
				nextReport = System.nanoTime() + BETWEEN_REPORTS.toNanos();
			}
		}
	}

	/**
	 * Lets instances do what is left, and ends them.
	 * @param left whether anything is left
	 * @param most how long that may take
	 */
	void drain(BooleanSupplier left, Duration most) {
		thaw(Long.MAX_VALUE);
		long start = System.nanoTime();
		while (left.getAsBoolean() && System.nanoTime() - start < most.toNanos()) {
			this.instances.removeIf((instance) -> !instance.isAlive());
			if (this.instances.isEmpty()) {
				perform(Attack.START);
			}
			LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
		}
		System.out.printf("drained in %.1f s%n", (System.nanoTime() - start) / 1e9);
		this.instances.forEach(InstanceProcess::stop);
		this.instances.forEach(InstanceProcess::awaitEnd);
	}

	private static void ifPossible(Runnable task) {
		try {
			task.run();
		}
		catch (DataAccessException ex) {
			System.out.println("No look at the database: " + ex.getMessage());
		}
	}

	private void attack() {
		this.instances.removeIf((instance) -> !instance.isAlive());
		Attack attack = this.attacks.get(this.random.nextInt(this.attacks.size()));
		if (this.instances.size() < 2) {
			attack = Attack.START;
		}
		else if (attack == Attack.START && this.instances.size() >= this.most) {
			return;
		}
		else if (attack.isRare() && this.random.nextInt(5) > 0) {
			return;
		}
		perform(attack);
	}

	private void perform(Attack attack) {
		this.count.merge(attack, 1, Integer::sum);
		switch (attack) {
			case START -> this.instances.add(InstanceProcess.start(this.main, this.database.url(), this.troubles));
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

	@Override
	public String toString() {
		return this.instances.size() + " instances, " + this.count;
	}

}
