package io.whizbang.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures Whizbang against bare JDBC loops, side by side on one PostgreSQL that waits
 * for its disk. Both sides of a comparison alternate, so that what else the machine does
 * hits both; only ratios mean something.
 */
public final class Benchmarks {

	private static final List<String> OUTBOX = List.of("drain", "producers", "steady", "latency", "idle");

	private static final List<String> PARTS = List.of("drain", "producers", "steady", "latency", "idle", "inbox",
			"kafka", "events", "projection", "visible", "timers", "queues");

	private static final List<String> EVENTS = List.of("events", "projection", "visible");

	private static final int WARM_UPS = 14;

	/** How the server is set up: it waits for its disk. */
	public static final Map<String, String> DURABLE = Map.of("fsync", "on", "synchronous_commit", "on",
			"full_page_writes", "on", "shared_buffers", "512MB", "max_wal_size", "4GB");

	private final int rounds;

	private final int drainMessages;

	private final Duration steadyTime;

	private final Set<String> parts;

	private final Measurements measurements = new Measurements();

	private Benchmarks(Set<String> parts, int rounds, int drainMessages, Duration steadyTime) {
		this.parts = parts;
		this.rounds = rounds;
		this.drainMessages = drainMessages;
		this.steadyTime = steadyTime;
	}

	public static void main(String[] arguments) throws Exception {
		Set<String> parts = new LinkedHashSet<>(Arrays.asList(arguments));
		boolean quick = parts.remove("quick");
		if (parts.isEmpty()) {
			parts.addAll(PARTS);
		}
		if (!PARTS.containsAll(parts)) {
			throw new IllegalArgumentException("The arguments are \"quick\" and parts of " + PARTS + ", not " + parts);
		}
		Benchmarks benchmarks = quick ? new Benchmarks(parts, 3, 50_000, Duration.ofSeconds(4))
				: new Benchmarks(parts, 5, 100_000, Duration.ofSeconds(15));
		try (EmbeddedPostgresServer server = EmbeddedPostgresServer.create(DURABLE);
				PostgresDatabase database = server.server().createDatabase("benchmarks");
				HikariDataSource pool = database.createPool(24)) {
			benchmarks.run(pool);
		}
		System.exit(0);
	}

	private void run(HikariDataSource pool) throws Exception {
		JdbcTemplate jdbc = new JdbcTemplate(pool);
		System.out.printf("%s, Java %s, %d processors%n", jdbc.queryForObject("select version()", String.class),
				Runtime.version(), Runtime.getRuntime().availableProcessors());
		if (this.parts.stream().anyMatch(OUTBOX::contains)) {
			compareOutbox(pool, jdbc);
		}
		if (this.parts.contains("inbox")) {
			new InboxComparison(pool, this.drainMessages / 2).run(this.rounds, this.measurements);
		}
		if (this.parts.contains("kafka")) {
			new KafkaComparison(pool, 2 * this.drainMessages, this.steadyTime.dividedBy(2)).run(this.rounds,
					this.measurements);
		}
		if (this.parts.stream().anyMatch(EVENTS::contains)) {
			compareEvents(pool);
		}
		if (this.parts.contains("timers")) {
			new TimerComparison(pool).run(this.rounds, this.steadyTime, this.measurements);
		}
		if (this.parts.contains("queues")) {
			new QueueComparison(pool, this.drainMessages / 50).run(this.rounds, this.measurements);
		}
		report();
	}

	private void compareEvents(HikariDataSource pool) throws InterruptedException {
		new SchemaInstaller(pool, SchemaSettings.of(WhizbangPerspectives.SCHEMA, SchemaMode.MIGRATE)).install();
		if (this.parts.contains("events")) {
			new AppendComparison(pool).run(this.rounds, this.steadyTime.dividedBy(2), this.measurements);
		}
		if (this.parts.contains("projection")) {
			new ProjectionComparison(pool, this.drainMessages).run(this.rounds, this.measurements);
		}
		if (this.parts.contains("visible")) {
			new VisibleComparison(pool).run(this.rounds, this.steadyTime, this.measurements);
		}
	}

	private void compareOutbox(HikariDataSource pool, JdbcTemplate jdbc) throws InterruptedException {
		Steady steady = new Steady(pool);
		try (RawLoop raw = new RawLoop(pool); WhizbangOutbox whizbang = new WhizbangOutbox(pool)) {
			List<Contender> contenders = List.of(raw, whizbang);
			for (Contender contender : contenders) {
				warmUp(contender, steady);
			}
			for (int round = 0; round < this.rounds; round++) {
				for (String part : this.parts) {
					for (Contender contender : contenders) {
						measure(part, contender, steady, jdbc);
					}
				}
			}
			if (this.parts.contains("idle")) {
				measureIdle(whizbang);
			}
		}
	}

	/** The compiler of the JVM takes its time, and more of it for the longer code. */
	private void warmUp(Contender contender, Steady steady) throws InterruptedException {
		for (int i = 0; this.parts.contains("drain") && i < WARM_UPS; i++) {
			Drain.run(contender, this.drainMessages);
		}
		measureSteady(contender, steady, this.steadyTime, new Measurements());
	}

	private void measure(String part, Contender contender, Steady steady, JdbcTemplate jdbc)
			throws InterruptedException {
		switch (part) {
			case "drain" -> {
				// What earlier runs have left dead would slow down either side by chance.
				jdbc.execute("vacuum raw_outbox, whizbang.wh_outbox, whizbang.wh_claims");
				jdbc.execute("checkpoint");
				this.measurements.add("drain, messages/s: " + contender.name(),
						Drain.run(contender, this.drainMessages));
			}
			case "producers" -> {
				this.measurements.add("producers alone, transactions/s: " + contender.name(),
						steady.produce(contender, 8, this.steadyTime.dividedBy(2)));
				discard(contender, jdbc);
			}
			case "steady" -> measureSteady(contender, steady, this.steadyTime, this.measurements);
			case "latency" -> measureLatency(contender, steady, this.steadyTime);
			default -> {
				// Idleness is measured once, at the end.
			}
		}
	}

	private void measureSteady(Contender contender, Steady steady, Duration time, Measurements measurements)
			throws InterruptedException {
		AtomicLong delivered = new AtomicLong();
		contender.start((payload) -> delivered.incrementAndGet());
		double rate = steady.produce(contender, 8, time);
		long backlog = steady.committed() - delivered.get();
		awaitAll(steady, delivered);
		contender.stop();
		measurements.add("steady, transactions/s with delivery: " + contender.name(), rate);
		measurements.add("steady, waiting at the end: " + contender.name(), (double) backlog);
	}

	private void measureLatency(Contender contender, Steady steady, Duration time) {
		ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
		contender.start((payload) -> latencies.add(System.nanoTime() - payload.enqueuedNanos()));
		steady.trickle(contender, 20, time);
		LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
		contender.stop();
		long[] sorted = latencies.stream().mapToLong(Long::longValue).sorted().toArray();
		this.measurements.add("20/s, ms from enqueue to delivery p50: " + contender.name(),
				sorted[sorted.length / 2] / 1e6);
		this.measurements.add("20/s, ms from enqueue to delivery p99: " + contender.name(),
				sorted[sorted.length * 99 / 100] / 1e6);
	}

	private void measureIdle(WhizbangOutbox whizbang) {
		whizbang.start((payload) -> {
		});
		LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
		long before = whizbang.connectionsUsed();
		LockSupport.parkNanos(Duration.ofSeconds(30).toNanos());
		long after = whizbang.connectionsUsed();
		whizbang.stop();
		this.measurements.add("idle, calls of the database/s by one instance", (after - before) / 30.0);
	}

	private static void awaitAll(Steady steady, AtomicLong delivered) {
		long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
		while (delivered.get() < steady.committed()) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("Lost " + (steady.committed() - delivered.get()) + " messages");
			}
			LockSupport.parkNanos(1_000_000);
		}
	}

	private static void discard(Contender contender, JdbcTemplate jdbc) {
		jdbc.execute("truncate " + ((contender instanceof RawLoop) ? "raw_outbox" : "whizbang.wh_outbox"));
	}

	private void report() throws IOException {
		this.measurements.print();
		String drain = "drain, messages/s: ";
		String alone = "producers alone, transactions/s: ";
		String steady = "steady, transactions/s with delivery: ";
		String latency = "20/s, ms from enqueue to delivery p50: ";
		System.out.printf("%n%-58s %12s%n", "ratio, median of rounds", "");
		for (String name : List.of(drain, alone, steady, latency, InboxComparison.DRAIN, InboxComparison.TOGETHER,
				AppendComparison.ONE, AppendComparison.TEN, ProjectionComparison.PROJECTION, VisibleComparison.P50,
				VisibleComparison.P99)) {
			ratio(name + "whizbang / raw loop", name + "whizbang", name + "raw loop");
		}
		for (String name : QueueComparison.PER_KEY.stream().map(QueueComparison::name).toList()) {
			ratio(name + "whizbang / raw loop", name + "whizbang", name + "raw loop");
		}
		for (String name : List.of(TimerComparison.FINISH, TimerComparison.BURST_P99, TimerComparison.P50,
				TimerComparison.P99)) {
			ratio(name + "whizbang / db-scheduler", name + "whizbang", name + "db-scheduler");
		}
		ratio("round with 1 000 000 timers pending / with 1 000", TimerComparison.MANY, TimerComparison.FEW);
		ratio("kafka, messages/s: whizbang / lower limit", KafkaComparison.WHIZBANG, KafkaComparison.LIMIT);
		ratio("kafka, messages/s: whizbang / limit of the processors", KafkaComparison.WHIZBANG,
				KafkaComparison.PROCESSORS);
		ratio("kafka, messages/s: limit of the processors / lower limit", KafkaComparison.PROCESSORS,
				KafkaComparison.LIMIT);
		ratio("kafka, messages/s: whizbang / both limits at once", KafkaComparison.WHIZBANG, KafkaComparison.TOGETHER);
		ratio("kafka while producers run: whizbang / database's limit", KafkaComparison.STEADY,
				KafkaComparison.STEADY_NOWHERE);
		Path file = Path.of("target", "benchmarks.json");
		Files.createDirectories(file.getParent());
		Files.writeString(file, JsonMapper.builder().build().writeValueAsString(this.measurements.figures()));
		System.out.println("\nAll figures: " + file.toAbsolutePath().normalize());
	}

	private void ratio(String label, String name, String to) {
		if (this.measurements.has(name)) {
			System.out.printf("%-58s %12.2f%n", label, this.measurements.ratio(name, to));
		}
	}

}
