package io.whizbang.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.whizbang.chaos.Findings.Kind;
import io.whizbang.work.Outcome;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import io.whizbang.work.WorkHandler;

/**
 * Delivers into {@link Deliveries}; now and then it fails, takes long, or gets stuck.
 */
final class ChaosHandler implements WorkHandler {

	static final RetryPolicy RETRIES = RetryPolicy.defaults()
		.withMaxAttempts(5)
		.withDelays(Duration.ofMillis(20), Duration.ofMillis(300));

	private static final long STUCK_MILLIS = 3500;

	private final Set<UUID> inHand = ConcurrentHashMap.newKeySet();

	private final Workload workload;

	private final Deliveries deliveries;

	private final Findings findings;

	private final Fate fate;

	private final Random random;

	private final boolean batches;

	ChaosHandler(Workload workload, Deliveries deliveries, Findings findings, Fate fate, Random random) {
		this.workload = workload;
		this.deliveries = deliveries;
		this.findings = findings;
		this.fate = fate;
		this.random = random;
		this.batches = random.nextBoolean();
	}

	@Override
	public Object batchKey(Work work) {
		return this.batches ? "together" : null;
	}

	@Override
	public List<Outcome> handle(List<Work> batch) {
		Set<UUID> failed = new HashSet<>();
		List<Outcome> outcomes = new ArrayList<>();
		for (Work work : batch) {
			UUID stream = work.stream();
			Outcome outcome = (stream != null && failed.contains(stream)) ? Outcome.RELEASE : deliver(work);
			if (stream != null && outcome instanceof Outcome.Retry) {
				failed.add(stream);
			}
			outcomes.add(outcome);
		}
		return outcomes;
	}

	private Outcome deliver(Work work) {
		this.fate.pass();
		UUID lane = (work.stream() != null) ? work.stream() : UUID.randomUUID();
		if (!this.inHand.add(lane)) {
			this.findings.add(Kind.OVERLAP, "stream " + lane + " at " + work.seq());
		}
		try {
			this.deliveries.add(work);
			work();
			this.fate.pass();
		}
		finally {
			this.inHand.remove(lane);
		}
		return fails(work) ? RETRIES.afterFailure(work.attempts(), new IllegalStateException("Told to fail"))
				: Outcome.DONE;
	}

	private boolean fails(Work work) {
		return Message.isPoison(work.envelope())
				|| !Message.isProbe(work.envelope()) && this.random.nextDouble() < this.workload.failures();
	}

	private void work() {
		double dice = this.random.nextDouble();
		if (dice < this.workload.stuck()) {
			takeTime(STUCK_MILLIS * 1000);
		}
		else if (dice < 0.03) {
			takeTime(this.random.nextInt(30_000));
		}
		else if (dice < 0.2) {
			takeTime(this.random.nextInt(1000));
		}
	}

	private static void takeTime(long micros) {
		boolean interrupted = false;
		long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
		for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
			try {
				TimeUnit.NANOSECONDS.sleep(left);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
