package io.whizbang.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import io.whizbang.chaos.Findings.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run: producers produce, instances deliver, the monkey attacks; then peace, until
 * everything is delivered; then a last look.
 */
final class ChaosRun {

	private static final Logger logger = LoggerFactory.getLogger(ChaosRun.class);

	private static final Duration DRAINING = Duration.ofSeconds(25);

	private static final Duration DRAINING_IN_A_HUNT = Duration.ofSeconds(8);

	private final Findings findings = new Findings();

	private final Deliveries deliveries = new Deliveries(this.findings);

	private final Acceptances acceptances = new Acceptances(this.findings);

	private final AtomicBoolean producing = new AtomicBoolean(true);

	private final AtomicInteger instances = new AtomicInteger();

	private final List<Thread> threads = new ArrayList<>();

	private final ChaosDatabase database;

	private final Workload workload;

	private final Random random;

	private final Backlog backlog;

	private final Probe probe;

	private final Monkey monkey;

	private ChaosRun(ChaosDatabase database, Workload workload) {
		this.database = database;
		this.workload = workload;
		this.random = new Random(workload.seed());
		this.backlog = new Backlog(this.deliveries, workload.backlog());
		this.probe = new Probe(database.database().unpooledDataSource(), this.producing::get);
		Sessions producers = new Sessions(database.database().unpooledDataSource());
		this.monkey = new Monkey(workload, this::instance, producers, database.jdbc(),
				new Random(this.random.nextLong()));
		for (int i = 0; i < workload.producers(); i++) {
			this.threads.add(new Thread(new Producer(workload, producers, this.findings, this.backlog,
					new Random(this.random.nextLong()), this.producing::get), "chaos-producer-" + i));
		}
		this.threads.add(new Thread(this.probe, "chaos-probe"));
	}

	static Findings of(ChaosDatabase database, Workload workload) {
		// What workers under attack have to say fills pages; the findings tell what
		// matters.
		ch.qos.logback.classic.Logger workers = (ch.qos.logback.classic.Logger) LoggerFactory
			.getLogger("io.whizbang.worker");
		workers.setLevel(Level.OFF);
		try {
			return new ChaosRun(database, workload).run();
		}
		finally {
			workers.setLevel(null);
		}
	}

	private Instance instance() {
		return new Instance("instance-" + this.instances.incrementAndGet(), this.database, this.workload,
				this.deliveries, this.acceptances, this.findings, new Random(this.random.nextLong()));
	}

	private Findings run() {
		long start = System.nanoTime();
		this.database.clear();
		this.monkey.populate(Math.min(3, this.workload.mostInstances()));
		this.threads.forEach(Thread::start);
		fight(start + this.workload.duration().toNanos());
		this.producing.set(false);
		this.threads.forEach(ChaosRun::join);
		this.monkey.rest();
		long drained = System.nanoTime();
		drain(drained + (this.workload.hunted().isEmpty() ? DRAINING : DRAINING_IN_A_HUNT).toNanos());
		drained = System.nanoTime() - drained;
		this.monkey.end(!isOver());
		if (!isOver()) {
			new LastLook(this.database.jdbc(), this.findings).check(this.deliveries);
		}
		Duration longest = isOver() ? Duration.ZERO : this.probe.check(this.deliveries, this.findings);
		logger.info(
				"Seed {}: {} messages committed, {} deliveries of {}, {} dead letters, {} claims lost, attacks {}, "
						+ "slowest of {} probes {}, drained in {}, all in {}; found {}",
				this.workload.seed(), this.database.count("chaos_audit"), this.deliveries.count(),
				this.deliveries.distinct(), this.database.count("whizbang.wh_dead_letters"), this.acceptances.lost(),
				this.monkey, this.probe.count(), longest, Duration.ofNanos(drained),
				Duration.ofNanos(System.nanoTime() - start), this.findings);
		return this.findings;
	}

	private void fight(long end) {
		long nextAttack = System.nanoTime() + this.workload.pause().toNanos();
		while (System.nanoTime() - end < 0 && !isOver()) {
			look();
			if (System.nanoTime() - nextAttack > 0) {
				this.monkey.attack();
				nextAttack += this.workload.pause().toNanos();
			}
		}
	}

	private void drain(long end) {
		while (System.nanoTime() - end < 0 && !isOver() && this.database
			.count("(select from whizbang.wh_messages union all select from whizbang.wh_scheduled) waiting") > 0) {
			look();
		}
	}

	/** One look now and then: this check alone is not exhaustive. */
	private void look() {
		int shared = this.database.count("(select p from whizbang.wh_claims c, unnest(c.partitions) p "
				+ "group by c.queue, p having count(distinct c.instance_id) > 1) shared");
		if (shared > 0) {
			this.findings.add(Kind.SHARED_PARTITION, shared + " partitions in live claims of two instances");
		}
		int twice = this.database
			.count("(select s from whizbang.wh_claims c, unnest(c.seqs) s " + "group by s having count(*) > 1) twice");
		if (twice > 0) {
			this.findings.add(Kind.SHARED_PARTITION, twice + " messages in two live claims");
		}
		try {
			TimeUnit.MILLISECONDS.sleep(25);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean isOver() {
		return this.findings.hasAny(this.workload.hunted());
	}

	private static void join(Thread thread) {
		try {
			thread.join(20_000);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
