package io.whizbang.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Lets instances come and go, and makes life hard for those that are there.
 */
final class Monkey {

	private final Map<Attack, Integer> done = new EnumMap<>(Attack.class);

	private final List<Instance> living = new ArrayList<>();

	private final List<Thread> leaving = new ArrayList<>();

	private final Workload workload;

	private final Supplier<Instance> instances;

	private final Sessions producers;

	private final JdbcTemplate jdbc;

	private final Random random;

	Monkey(Workload workload, Supplier<Instance> instances, Sessions producers, JdbcTemplate jdbc, Random random) {
		this.workload = workload;
		this.instances = instances;
		this.producers = producers;
		this.jdbc = jdbc;
		this.random = random;
	}

	/** Sees to it that there are some instances. */
	void populate(int count) {
		while (this.living.size() < count) {
			perform(Attack.JOIN);
		}
	}

	void attack() {
		List<Attack> attacks = this.workload.attacks();
		Attack attack = attacks.get(this.random.nextInt(attacks.size()));
		if (attack == Attack.JOIN && this.living.size() >= this.workload.mostInstances()) {
			return;
		}
		perform((this.living.size() < 2) ? Attack.JOIN : attack);
	}

	private void perform(Attack attack) {
		this.done.merge(attack, 1, Integer::sum);
		switch (attack) {
			case JOIN -> {
				Instance instance = this.instances.get();
				this.living.add(instance);
				instance.join();
			}
			case LEAVE -> leave(take());
			case KILL -> {
				Instance victim = take();
				victim.kill(this.jdbc);
				leave(victim);
			}
			case PAUSE -> pick().pause(Duration.ofMillis(500 + this.random.nextInt(4000)));
			case CUT -> pick().cut(this.jdbc);
			case CUT_PRODUCER -> this.producers.cutOne(this.jdbc, this.random);
		}
	}

	/**
	 * Makes peace: whoever stands still goes on, and there is somebody to do the rest.
	 */
	void rest() {
		this.living.forEach(Instance::goOn);
		populate(2);
	}

	/** Lets everybody leave, in good order or not, and waits for it. */
	void end(boolean inGoodOrder) {
		this.living.forEach((instance) -> {
			if (inGoodOrder) {
				instance.goOn();
			}
			else {
				instance.kill(this.jdbc);
			}
		});
		while (!this.living.isEmpty()) {
			leave(take());
		}
		for (Thread thread : this.leaving) {
			try {
				thread.join(20_000);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void leave(Instance instance) {
		Thread thread = new Thread(instance::leave, "chaos-leave");
		thread.start();
		this.leaving.add(thread);
	}

	private Instance pick() {
		return this.living.get(this.random.nextInt(this.living.size()));
	}

	private Instance take() {
		return this.living.remove(this.random.nextInt(this.living.size()));
	}

	@Override
	public String toString() {
		return this.done.toString();
	}

}
