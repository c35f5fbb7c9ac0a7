package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.whizbang.lease.Lease;
import io.whizbang.lease.LeaseLostException;
import io.whizbang.schedule.Cadence;
import io.whizbang.work.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Asks a planner, as the coordinator of its topic. Whatever ends a run before its end,
 * the topic stays due, and the next run leaves out what was planned already.
 */
final class FanoutRun {

	private static final Logger logger = LoggerFactory.getLogger(FanoutRun.class);

	private static final Duration FIRST_RETRY = Duration.ofSeconds(10);

	private static final Duration LAST_RETRY = Duration.ofMinutes(10);

	private final FanoutParts parts;

	private final BooleanSupplier stopping;

	private final TransactionTemplate reading;

	private final TransactionTemplate ending;

	FanoutRun(FanoutParts parts, BooleanSupplier stopping) {
		this.parts = parts;
		this.stopping = stopping;
		// Streams of JPA, and those that do not fit into memory, need a transaction.
		this.reading = new TransactionTemplate(parts.transactions());
		this.reading.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.reading.setReadOnly(true);
		this.reading.setName("whizbang-fanout-planner");
		this.ending = new TransactionTemplate(parts.transactions());
		this.ending.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.ending.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.ending.setName("whizbang-fanout");
	}

	/**
	 * Begins to run a topic.
	 * @param topic the topic, as it was found to be due
	 * @param lease makes this instance its coordinator
	 * @return whether it may run: nobody has run it since, or holds it in an open
	 * transaction
	 */
	boolean begin(DueTopic topic, Lease lease) {
		return this.parts.store().begin(topic, lease.token());
	}

	/**
	 * Runs a topic.
	 * @param topic the topic, with which this instance was allowed to begin
	 * @param lease makes this instance its coordinator
	 * @return whether it ran to its end
	 */
	boolean run(DueTopic topic, Lease lease) {
		long start = System.nanoTime();
		try {
			Cadence.Due due = topic.due();
			Instant next = (due.next() != null) ? due.next() : topic.now().plus(FanoutPolicy.LONGEST);
			RunJoin join = new RunJoin(this.parts, topic.topic(), due.latest());
			FanoutCount count = plan(topic.topic(), due.latest(), lease, join);
			if (!end(topic, lease, due.latest(), next, count, join)) {
				return false;
			}
			Duration took = Duration.ofNanos(System.nanoTime() - start);
			logger.debug("The fan-out \"{}\" has planned {} slices of {} candidates in {} ms", topic.topic(),
					count.planned(), count.candidates(), took.toMillis());
			this.parts.listener().ran(topic.topic(), Duration.between(due.latest(), topic.now()), took);
			return true;
		}
		catch (FanoutLostException | LeaseLostException ex) {
			logger.info("The run of the fan-out \"{}\" ends here: {}", topic.topic(), ex.getMessage());
			return false;
		}
		catch (RuntimeException | Error ex) {
			fail(topic.topic(), lease, ex);
			return false;
		}
	}

	private FanoutCount plan(String topic, Instant until, Lease lease, RunJoin join) {
		FanoutPages pages = new FanoutPages(this.parts, topic, until, lease, join);
		this.reading.executeWithoutResult((status) -> {
			try (Stream<FanoutCandidate> candidates = this.parts.planners().get(topic).candidates()) {
				Iterator<FanoutCandidate> iterator = candidates.iterator();
				while (iterator.hasNext()) {
					if (this.stopping.getAsBoolean()) {
						throw new FanoutLostException("the worker stops");
					}
					pages.add(iterator.next());
				}
			}
		});
		return pages.end();
	}

	/** Whoever begins the next run has sealed the join of this one, and nobody else. */
	private boolean end(DueTopic topic, Lease lease, Instant until, Instant next, FanoutCount count, RunJoin join) {
		Boolean ended = this.ending.execute((status) -> {
			boolean own = this.parts.store().end(topic, lease.token(), until, next, count);
			if (own) {
				join.seal();
			}
			return own;
		});
		return ended;
	}

	private void fail(String topic, Lease lease, Throwable failure) {
		this.parts.listener().failed(topic, failure);
		Optional<Duration> again = this.parts.store()
			.fail(topic, lease.token(), FailureText.of(failure), FIRST_RETRY, LAST_RETRY);
		again.ifPresent((delay) -> logger.error("The run of the fan-out \"{}\" failed; next try in {} s", topic,
				delay.toSeconds(), failure));
	}

}
