package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeoutException;

import io.whizbang.work.CallTimer;
import io.whizbang.work.Outcome;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands work to the handler and makes an outcome of whatever comes back, exceptions
 * included.
 */
final class HandOver {

	private static final Logger logger = LoggerFactory.getLogger(HandOver.class);

	private final QueueWork what;

	private final Duration timeout;

	private final Runnable sooner;

	/**
	 * Creates a hand-over.
	 * @param what what is handed over to whom
	 * @param timeout how long a call may take
	 * @param sooner lets somebody look after the calls, because one may take less
	 */
	HandOver(QueueWork what, Duration timeout, Runnable sooner) {
		this.what = what;
		this.timeout = timeout;
		this.sooner = sooner;
	}

	/** How many messages a call may get now, as far as the handler has a say. */
	int limit() {
		return Math.max(1, this.what.handler().batchLimit());
	}

	Item item(Work work, HeldClaim claim) {
		return new Item(work, claim, keyOf(work), policyOf(work).isExhausted(work.attempts()));
	}

	List<Outcome> run(Running running) {
		List<Item> items = running.items();
		List<Outcome> outcomes = outcomesOf(items, handle(running, tryable(items)));
		if (items.size() > 1) {
			outcomes = stoppedAfterFailure(running, outcomes);
		}
		tell(items, outcomes);
		return outcomes;
	}

	/**
	 * What comes after a failure in its stream was not delivered, whatever the handler
	 * says.
	 */
	private List<Outcome> stoppedAfterFailure(Running running, List<Outcome> outcomes) {
		List<Outcome> result = new ArrayList<>(outcomes.size());
		for (Running.Part part : running.parts()) {
			boolean stopped = false;
			for (int i = 0; i < part.items().size(); i++) {
				Outcome outcome = outcomes.get(result.size());
				if (stopped && outcome instanceof Outcome.Done) {
					logger.error(
							"The handler of {} claims to have done message {} after an earlier one of its stream "
									+ "failed; it will be delivered again",
							this.what.queue().label(), part.items().get(i).work().envelope().id());
				}
				result.add(stopped ? Outcome.RELEASE : outcome);
				stopped = stopped || Outcome.stopsTheStream(outcome);
			}
		}
		return result;
	}

	private void tell(List<Item> items, List<Outcome> outcomes) {
		try {
			for (int i = 0; i < items.size(); i++) {
				FailureLog.tell(this.what.queue(), items.get(i).work(), outcomes.get(i));
				if (!(outcomes.get(i) instanceof Outcome.Release)) {
					this.what.listener().ended(this.what.queue(), items.get(i).work(), outcomes.get(i));
				}
			}
		}
		catch (RuntimeException ex) {
			logger.warn("A listener of {} failed; it must not", this.what.queue().label(), ex);
		}
	}

	private List<Outcome> handle(Running running, List<Work> batch) {
		if (batch.isEmpty()) {
			running.returned();
			return List.of();
		}
		try {
			List<Outcome> outcomes = this.what.handler().handle(batch, new Timer(running));
			running.returned();
			return checked(outcomes, batch);
		}
		catch (Throwable ex) {
			running.returned();
			Throwable failure = running.isTimedOut() ? timedOut(ex) : ex;
			logger.debug("The handler of {} failed with {} messages", this.what.queue().label(), batch.size(), failure);
			return batch.stream().map((work) -> failed(work, failure)).toList();
		}
	}

	private Outcome failed(Work work, Throwable failure) {
		return policyOf(work).afterFailure(work.attempts(), failure);
	}

	private RetryPolicy policyOf(Work work) {
		try {
			return this.what.retries().of(work);
		}
		catch (RuntimeException ex) {
			logger.error("No retry policy for message {} of {}; the default one is used", work.envelope().id(),
					this.what.queue().label(), ex);
			return RetryPolicy.defaults();
		}
	}

	private Throwable timedOut(Throwable failure) {
		TimeoutException timeout = new TimeoutException("timed out after " + this.timeout);
		timeout.initCause(failure);
		return timeout;
	}

	private static List<Outcome> checked(List<Outcome> outcomes, List<Work> batch) {
		if (outcomes.size() != batch.size()) {
			throw new IllegalStateException("The handler got " + batch.size() + " messages but returned "
					+ outcomes.size() + " outcomes; it must return one for each, in the same order");
		}
		for (int i = 0; i < outcomes.size(); i++) {
			if (outcomes.get(i) == null) {
				throw new IllegalStateException("The handler returned null for message " + batch.get(i).envelope().id()
						+ "; it must return an outcome");
			}
		}
		return outcomes;
	}

	private static List<Work> tryable(List<Item> items) {
		List<Work> batch = new ArrayList<>(items.size());
		for (Item item : items) {
			if (!item.exhausted()) {
				batch.add(item.work());
			}
		}
		return batch;
	}

	/**
	 * Puts the verdict on those that were not tried between the outcomes of those that
	 * were.
	 */
	private static List<Outcome> outcomesOf(List<Item> items, List<Outcome> tried) {
		if (tried.size() == items.size()) {
			return tried;
		}
		Iterator<Outcome> next = tried.iterator();
		List<Outcome> all = new ArrayList<>(items.size());
		for (Item item : items) {
			all.add(item.exhausted() ? Outcome.Dead.exhausted(item.work()) : next.next());
		}
		return all;
	}

	private @Nullable Object keyOf(Work work) {
		try {
			return this.what.handler().batchKey(work);
		}
		catch (RuntimeException ex) {
			// The handler meets the same trouble when it gets the work, where it counts
			// as a failure.
			logger.debug("No batch key for message {}", work.envelope().id(), ex);
			return null;
		}
	}

	private final class Timer implements CallTimer {

		private final Running running;

		Timer(Running running) {
			this.running = running;
		}

		@Override
		public void begin(@Nullable Duration atMost) {
			this.running.begin(atMost);
			if (atMost != null && atMost.compareTo(HandOver.this.timeout) < 0) {
				HandOver.this.sooner.run();
			}
		}

		@Override
		public boolean end() {
			return this.running.end();
		}

	}

}
