package io.whizbang.benchmarks.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.work.Queue;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkerLifecycle;

/**
 * Writers append while instances, which are processes, come and go, and two perspectives
 * must apply every event once and in order. Ends with code 1 when one does not.
 */
public final class PerspectiveStorm {

	private static final Duration DRAINING = Duration.ofMinutes(4);

	private final AtomicBoolean writing = new AtomicBoolean(true);

	private final AtomicLong committed = new AtomicLong();

	private final Troubles troubles = new Troubles();

	private final PerspectiveStormSettings settings;

	private final StormDatabase database;

	private final Random random;

	private final Havoc havoc;

	private PerspectiveStorm(PerspectiveStormSettings settings, StormDatabase database) {
		this.settings = settings;
		this.database = database;
		this.random = new Random(settings.seed());
		this.havoc = new Havoc(PerspectiveProcess.class, settings.instances(), EnumSet.allOf(Attack.class), database,
				this.troubles, this.random);
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
		try (HikariDataSource pool = this.database.database().createPool(this.settings.writers() + 1)) {
			WorkNotifier notifier = new WorkNotifier(pool, AnnouncementChannel.ofSchema(StormDatabase.SCHEMA));
			WorkerLifecycle announcements = new WorkerLifecycle(List.of(), null, notifier);
			announcements.start();
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < this.settings.writers(); i++) {
				threads.add(new Thread(new StormWriter(pool,
						(appended) -> notifier.announce(Announcement.toEveryone(Queue.PERSPECTIVES)), this.settings,
						new Random(this.random.nextLong()), this.committed, this.writing::get)));
			}
			threads.add(new Thread(naive));
			threads.forEach(Thread::start);
			this.havoc.rage(() -> isWriting(start), () -> {
			}, () -> report(System.nanoTime() - start));
			this.writing.set(false);
			for (Thread thread : threads) {
				thread.join();
			}
			announcements.stop();
		}
		this.havoc.drain(() -> this.database.count("storm_applied") < 2 * this.database.count("whizbang.wh_events"),
				DRAINING);
		naive.read();
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

	private boolean isWriting(long start) {
		return System.nanoTime() - start < this.settings.time().toNanos()
				|| this.committed.get() < this.settings.events();
	}

	private void report(long nanos) {
		System.out.printf("%.0f s: %d committed, %d sharded, %d global, %s, %s%n", nanos / 1e9, this.committed.get(),
				count(StormPerspective.SHARDED), count(StormPerspective.GLOBAL), this.havoc, this.troubles);
	}

	private long count(String name) {
		return this.database.count("storm_applied where name = '" + name + "'");
	}

}
