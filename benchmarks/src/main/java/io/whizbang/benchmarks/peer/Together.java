package io.whizbang.benchmarks.peer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Several instances of Whizbang on one database, each in a process of its own. Their
 * clocks are that of the system, which on Linux is the same for all of them.
 */
final class Together {

	static final String TWO = "20/s, message owned by the other of two instances";

	static final String ONE = "1 instance";

	static final String FOUR = "4 instances";

	static final String DRAIN = "drain by several instances";

	private static final int INSTANCES = 4;

	private static final int STREAMS = 2000;

	private static final int PER_SECOND = 20;

	private static final long LIMIT = TimeUnit.MINUTES.toNanos(5);

	private final Arena arena;

	private final Results results;

	private final Scale scale;

	private int run;

	Together(Arena arena, Results results, Scale scale) {
		this.arena = arena;
		this.results = results;
		this.scale = scale;
	}

	/** One sends, and both deliver; what counts is what the other one delivers. */
	void two() {
		try {
			List<PeerHandle> instances = start(2);
			for (int round = 0; round < this.scale.rounds(); round++) {
				share(instances);
				startAll(instances);
				pause(2000);
				instances.get(0).ask(Command.of("send").with("rate", PER_SECOND).with("seconds", this.scale.trickle()));
				pause(1000);
				MessageLog commits = new MessageLog();
				stop(instances.get(0), commits, new MessageLog());
				MessageLog deliveries = new MessageLog();
				stop(instances.get(1), new MessageLog(), deliveries);
				DeliveryCheck check = DeliveryCheck.of(commits, deliveries);
				Answer answer = new Answer().with(Figures.P50, check.latency(0.5))
					.with(Figures.P95, check.latency(0.95))
					.with(Figures.P99, check.latency(0.99))
					.with("share of the other %", 100.0 * check.latencies().length / commits.size());
				System.out.println("  " + answer.figures());
				this.results.add(TWO, Peers.WHIZBANG.label(), answer);
			}
		}
		catch (IllegalStateException ex) {
			this.results.trouble(TWO, ex);
		}
		finally {
			this.arena.closeOthers();
		}
	}

	/** A backlog, drained by one instance and by four in turn. */
	void four() {
		try {
			List<PeerHandle> instances = start(INSTANCES);
			for (int round = 0; round < this.scale.rounds(); round++) {
				this.results.add(DRAIN, ONE, drain(instances, 1));
				this.results.add(DRAIN, FOUR, drain(instances, INSTANCES));
			}
		}
		catch (IllegalStateException ex) {
			this.results.trouble(DRAIN, ex);
		}
		finally {
			this.arena.closeOthers();
		}
	}

	private List<PeerHandle> start(int count) {
		List<PeerHandle> instances = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			PeerHandle instance = this.arena.another(Peers.WHIZBANG.label(), count + " instances");
			instance.ask(Command.of("warm").with("seconds", this.scale.warmUp()));
			instances.add(instance);
		}
		return instances;
	}

	private Answer drain(List<PeerHandle> instances, int count) {
		share(instances);
		instances.get(0).ask(Command.of("fill").with("messages", this.scale.shared()).with("streams", STREAMS));
		long start = System.nanoTime();
		List<PeerHandle> working = instances.subList(0, count);
		startAll(working);
		while (delivered(working) < this.scale.shared() && System.nanoTime() - start < LIMIT) {
			LockSupport.parkNanos(10_000_000);
		}
		pause(200);
		MessageLog commits = new MessageLog();
		MessageLog deliveries = new MessageLog();
		working.forEach((instance) -> stop(instance, commits, deliveries));
		DeliveryCheck check = DeliveryCheck.of(commits, deliveries);
		long last = Arrays.stream(deliveries.entries()).mapToLong((entry) -> entry[1]).max().orElse(start);
		Answer answer = new Answer().with(Figures.RATE, deliveries.size() / ((last - start) / 1e9))
			.with(Figures.LOST, check.lost())
			.with(Figures.REPEATED, check.repeated())
			.with(Figures.REORDERED, check.reordered());
		System.out.println("  " + count + ": " + answer.figures());
		return answer;
	}

	private void share(List<PeerHandle> instances) {
		this.run++;
		instances.forEach((instance) -> instance.ask(Command.of("share").with("run", "together" + this.run)));
	}

	private static void startAll(List<PeerHandle> instances) {
		List<CompletableFuture<Answer>> starting = instances.stream()
			.map((instance) -> CompletableFuture.supplyAsync(() -> instance.ask(Command.of("start"))))
			.toList();
		starting.forEach(CompletableFuture::join);
	}

	private static double delivered(List<PeerHandle> instances) {
		return instances.stream()
			.mapToDouble((instance) -> instance.ask(Command.of("delivered")).get(Figures.DELIVERED))
			.sum();
	}

	private void stop(PeerHandle instance, MessageLog commits, MessageLog deliveries) {
		Path committed = this.arena.file("commits.log");
		Path delivered = this.arena.file("deliveries.log");
		instance.ask(Command.of("stop").with("commits", committed).with("deliveries", delivered));
		commits.read(committed);
		deliveries.read(delivered);
	}

	private static void pause(long millis) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
	}

}
