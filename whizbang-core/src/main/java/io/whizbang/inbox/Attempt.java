package io.whizbang.inbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.whizbang.message.HeaderNames;
import io.whizbang.work.Outcome;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;

/**
 * One try of one message: which of its receptors run, and what became of each.
 */
final class Attempt {

	private final Work work;

	private final List<Subscription> open;

	private final boolean givenUp;

	private final Map<Subscription, Outcome> results = new LinkedHashMap<>();

	private boolean recorded;

	/**
	 * Creates an attempt.
	 * @param work the message
	 * @param open the receptors that have not dealt with it
	 * @param givenUp whether another receptor has failed for good
	 */
	Attempt(Work work, List<Subscription> open, boolean givenUp) {
		this.work = work;
		this.open = open;
		this.givenUp = givenUp;
		this.recorded = isHandledInPart(work);
	}

	Work work() {
		return this.work;
	}

	List<Subscription> open() {
		return this.open;
	}

	/** Receptors of the message are remembered, since an earlier try or since now. */
	boolean isRecorded() {
		return this.recorded;
	}

	void recorded() {
		this.recorded = true;
	}

	void ended(Subscription receptor, Outcome outcome) {
		this.results.put(receptor, outcome);
	}

	/** Says whether receptors of a message are remembered from earlier tries. */
	static boolean isHandledInPart(Work work) {
		return work.envelope().header(HeaderNames.HANDLED_IN_PART) != null;
	}

	/** Lets the receptors know how they did. */
	void tellReceptors() {
		this.results.forEach((receptor, outcome) -> receptor.reliability().ended(outcome instanceof Outcome.Done));
	}

	boolean isLikelyToSucceed() {
		return this.open.stream().allMatch((receptor) -> receptor.reliability().isProven());
	}

	/** Says whether all receptors have succeeded, or will have with this one. */
	boolean isCompleteWith(Subscription last) {
		return !this.givenUp && this.open.stream()
			.allMatch((each) -> each == last || this.results.get(each) instanceof Outcome.Done);
	}

	boolean isComplete() {
		return !this.givenUp && this.open.stream().allMatch((each) -> this.results.get(each) instanceof Outcome.Done);
	}

	/** What must be remembered, because the message will be tried again, or revived. */
	List<Entry> entries() {
		if (isComplete()) {
			return List.of();
		}
		boolean goesOn = this.results.values().stream().anyMatch(Attempt::isRetry);
		List<Entry> entries = new ArrayList<>();
		this.results.forEach((receptor, outcome) -> {
			if (outcome instanceof Outcome.Done) {
				entries.add(succeeded(receptor));
			}
			else if (goesOn && outcome instanceof Outcome.Dead dead) {
				entries.add(new Entry(this.work, this.recorded, receptor.name(), false, dead.error()));
			}
		});
		return entries;
	}

	Entry succeeded(Subscription receptor) {
		return new Entry(this.work, this.recorded, receptor.name(), true, "");
	}

	/** What becomes of the message. Nothing was started when there are no results. */
	Outcome outcome() {
		if (isComplete()) {
			return Outcome.DONE;
		}
		if (this.results.isEmpty() && !this.open.isEmpty()) {
			return Outcome.RELEASE;
		}
		List<Outcome.Retry> retries = select(Outcome.Retry.class);
		if (!retries.isEmpty()) {
			return new Outcome.Retry(retries.stream().map(Outcome.Retry::delay).min(Duration::compareTo).orElseThrow(),
					errors());
		}
		List<Outcome.Dead> dead = select(Outcome.Dead.class);
		String lastError = Objects.requireNonNullElse(this.work.lastError(), "a receptor has given up");
		return dead.isEmpty() ? new Outcome.Dead(RetryPolicy.MAX_ATTEMPTS, lastError)
				: new Outcome.Dead(dead.get(0).reason(), errors(), wasTried());
	}

	private boolean wasTried() {
		return this.results.values()
			.stream()
			.anyMatch((result) -> !(result instanceof Outcome.Dead dead) || dead.tried());
	}

	/** With several receptors, people must know which of them failed. */
	private String errors() {
		boolean several = this.results.size() > 1 || this.givenUp || isRecorded();
		return this.results.entrySet()
			.stream()
			.filter((result) -> !(result.getValue() instanceof Outcome.Done))
			.map((result) -> (several ? "receptor " + result.getKey().name() + ": " : "") + error(result.getValue()))
			.collect(Collectors.joining("\n"));
	}

	private static String error(Outcome outcome) {
		if (outcome instanceof Outcome.Retry retry) {
			return retry.error();
		}
		return (outcome instanceof Outcome.Dead dead) ? dead.error() : "";
	}

	private static boolean isRetry(Outcome outcome) {
		return outcome instanceof Outcome.Retry;
	}

	private <T extends Outcome> List<T> select(Class<T> kind) {
		return this.results.values().stream().filter(kind::isInstance).map(kind::cast).toList();
	}

	/**
	 * A receptor that is done with a message while others are not.
	 *
	 * @param work the message
	 * @param marked whether receptors of the message are remembered already
	 * @param receptor the receptor's name
	 * @param succeeded whether it succeeded, or has given up
	 * @param error why it has given up, or empty
	 */
	record Entry(Work work, boolean marked, String receptor, boolean succeeded, String error) {
	}

}
