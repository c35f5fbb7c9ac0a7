package io.whizbang.benchmarks.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Instances are processes that are killed, frozen and replaced, the database is restarted
 * and crashed, and producers go on all the time. Ends with code 1 when a promise was
 * broken.
 */
public final class Storm {

	private static final Duration DRAINING = Duration.ofMinutes(3);

	private final List<Thread> producers = new ArrayList<>();

	private final AtomicBoolean producing = new AtomicBoolean(true);

	private final AtomicBoolean crowded = new AtomicBoolean();

	private final AtomicLong committed = new AtomicLong();

	private final Troubles troubles = new Troubles();

	private final StormSettings settings;

	private final StormDatabase database;

	private final StormChecks checks;

	private final Havoc havoc;

	private Storm(StormSettings settings, StormDatabase database) {
		this.settings = settings;
		this.database = database;
		this.checks = new StormChecks(database.jdbc(), this.troubles);
		Random random = new Random(settings.seed());
		this.havoc = new Havoc(DeliveryProcess.class, settings.instances(),
				EnumSet.complementOf(EnumSet.of(Attack.END_SESSIONS)), database, this.troubles, random);
		for (int i = 0; i < settings.producers(); i++) {
			this.producers.add(new Thread(new StormProducer(database, settings, this.troubles,
					new Random(random.nextLong()), this.committed, () -> !this.crowded.get(), this.producing::get)));
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
		this.havoc.rage(() -> System.nanoTime() - start < this.settings.time().toNanos(), this::look,
				() -> report(System.nanoTime() - start));
		this.producing.set(false);
		for (Thread producer : this.producers) {
			producer.join();
		}
		this.havoc.drain(() -> this.database.count("whizbang.wh_messages") > 0, DRAINING);
		this.checks.conclude();
		report(System.nanoTime() - start);
		System.out.println("END " + this.troubles);
		return this.troubles.isEmpty();
	}

	private void look() {
		this.checks.sample();
		this.crowded.set(this.database.count("whizbang.wh_messages") > this.settings.backlog());
	}

	private void report(long nanos) {
		System.out.printf("%.0f s: %d committed, %d delivered, %d waiting, %d dead, %s, %s%n", nanos / 1e9,
				this.committed.get(), this.database.count("storm_delivery"),
				this.database.count("whizbang.wh_messages"), this.database.count("whizbang.wh_dead_letters"),
				this.havoc, this.troubles);
	}

}
