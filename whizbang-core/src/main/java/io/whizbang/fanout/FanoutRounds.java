package io.whizbang.fanout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import io.whizbang.lease.Lease;
import io.whizbang.lease.LeaseOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the leases of topics that are due, and has their planners asked. Rounds are made
 * by one thread.
 */
final class FanoutRounds {

	private static final Logger logger = LoggerFactory.getLogger(FanoutRounds.class);

	private static final Duration LEFT = Duration.ofSeconds(1);

	private final FanoutParts parts;

	private final Executor executor;

	private final FanoutRun run;

	private final Runnable ended;

	private final Set<String> running = ConcurrentHashMap.newKeySet();

	/** Since when topics are left alone that an open transaction may hold. */
	private final Map<String, Long> left = new ConcurrentHashMap<>();

	FanoutRounds(FanoutParts parts, Executor executor, FanoutRun run, Runnable ended) {
		this.parts = parts;
		this.executor = executor;
		this.run = run;
		this.ended = ended;
	}

	Set<String> running() {
		return Set.copyOf(this.running);
	}

	Round round() {
		Set<String> elsewhere = new HashSet<>();
		int begun = 0;
		for (DueTopic topic : this.parts.store().due(idle(Set.of()))) {
			if (this.running.size() >= this.parts.settings().concurrency()) {
				return new Round(begun, true, elsewhere);
			}
			Optional<Lease> lease = this.parts.leases()
				.tryAcquire("fanout:" + topic.topic(),
						LeaseOptions.lasting(this.parts.settings().lease()).withLabel(FanoutWorker.LABEL));
			lease.ifPresentOrElse((held) -> begin(topic, held), () -> elsewhere.add(topic.topic()));
			begun += lease.isPresent() ? 1 : 0;
		}
		return new Round(begun, false, elsewhere);
	}

	/** Returns how long nothing else is due, if anything is known. */
	Optional<Duration> untilNext(Set<String> elsewhere) {
		Optional<Duration> next = this.parts.store().untilNext(idle(elsewhere));
		return this.left.isEmpty() ? next : Optional.of(next.filter((pause) -> pause.compareTo(LEFT) < 0).orElse(LEFT));
	}

	/** Looks at once at the topics too that could not run a moment ago. */
	void tryAllAgain() {
		this.left.clear();
	}

	private List<String> idle(Set<String> elsewhere) {
		List<String> topics = new ArrayList<>(this.parts.planners().topics());
		topics.removeAll(this.running);
		long now = System.nanoTime();
		this.left.values().removeIf((since) -> now - since >= LEFT.toNanos());
		topics.removeAll(this.left.keySet());
		topics.removeAll(elsewhere);
		topics.removeIf((topic) -> !this.parts.settings().topic(topic).enabled());
		return topics;
	}

	private void begin(DueTopic topic, Lease lease) {
		this.running.add(topic.topic());
		try {
			this.executor.execute(() -> work(topic, lease));
		}
		catch (RejectedExecutionException ex) {
			this.running.remove(topic.topic());
			lease.close();
			throw ex;
		}
	}

	private void work(DueTopic topic, Lease lease) {
		try (lease) {
			if (this.run.begin(topic, lease)) {
				this.run.run(topic, lease);
			}
			else {
				this.left.put(topic.topic(), System.nanoTime());
			}
		}
		catch (RuntimeException ex) {
			// Its failure could not even be noted, so it is found due again; rounds fail
			// themselves, and wait longer and longer, while the database is away.
			logger.warn("The run of the fan-out \"{}\" failed, and so did the note of that", topic.topic(), ex);
		}
		finally {
			this.running.remove(topic.topic());
			this.ended.run();
		}
	}

	/**
	 * A look at what there is to do.
	 *
	 * @param begun how many planners are asked because of it
	 * @param full whether more are due than can be asked at once
	 * @param elsewhere topics that are due and that another instance has
	 */
	record Round(int begun, boolean full, Set<String> elsewhere) {
	}

}
