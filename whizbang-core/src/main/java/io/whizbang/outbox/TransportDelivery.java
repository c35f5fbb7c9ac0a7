package io.whizbang.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;

import io.whizbang.observation.MessageObservations;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;
import io.whizbang.transport.TransportStatus;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Delivers messages to transports, as many at once as these take.
 */
final class TransportDelivery {

	private final RetryPolicies retries;

	private final Duration unreachableDelay;

	private final MessageObservations observations;

	private final UnreachableTransports unreachable = new UnreachableTransports(System::nanoTime);

	TransportDelivery(RetryPolicies retries, Duration unreachableDelay, MessageObservations observations) {
		this.retries = retries;
		this.unreachableDelay = unreachableDelay;
		this.observations = observations;
	}

	TransportStatus status(String transport) {
		return this.unreachable.status(transport);
	}

	List<Outcome> deliver(Transport transport, List<Work> batch) {
		List<Outcome> outcomes = new ArrayList<>(batch.size());
		Set<UUID> stopped = new HashSet<>();
		int size = Math.max(1, transport.batchSize());
		for (int from = 0; from < batch.size(); from += size) {
			List<Work> part = batch.subList(from, Math.min(from + size, batch.size()));
			outcomes.addAll(deliver(transport, part, stopped));
		}
		return outcomes;
	}

	private List<Outcome> deliver(Transport transport, List<Work> batch, Set<UUID> stopped) {
		List<Outcome> outcomes = new ArrayList<>(batch.size());
		List<Integer> places = new ArrayList<>(batch.size());
		for (Work work : batch) {
			boolean exhausted = isExhausted(work);
			if (!exhausted && !isStopped(work, stopped)) {
				places.add(outcomes.size());
			}
			outcomes.add(exhausted ? Outcome.Dead.exhausted(work) : Outcome.RELEASE);
		}
		List<Work> sendable = places.stream().map(batch::get).toList();
		List<BiConsumer<Outcome, @Nullable Throwable>> observers = observe(transport, sendable);
		List<SendResult> results = sendable.isEmpty() ? List.of() : send(transport, sendable);
		for (int i = 0; i < sendable.size(); i++) {
			Outcome outcome = settle(sendable.get(i), results.get(i), stopped);
			outcomes.set(places.get(i), outcome);
			if (!observers.isEmpty()) {
				observers.get(i).accept(outcome, results.get(i).failure());
			}
		}
		return outcomes;
	}

	private List<BiConsumer<Outcome, @Nullable Throwable>> observe(Transport transport, List<Work> batch) {
		if (this.observations.isNoop()) {
			return List.of();
		}
		return batch.stream()
			.map((work) -> this.observations.startSend(Queue.OUTBOX, work.envelope(), transport.name()))
			.toList();
	}

	/**
	 * Holds back what comes after a failure in its stream, whatever the transport says of
	 * it.
	 */
	private Outcome settle(Work work, SendResult result, Set<UUID> stopped) {
		if (isStopped(work, stopped)) {
			return Outcome.RELEASE;
		}
		UUID stream = work.stream();
		if (stream != null && result.status() != SendResult.Status.SENT) {
			stopped.add(stream);
		}
		return outcome(work, result);
	}

	private boolean isExhausted(Work work) {
		return work.attempts() > 0 && this.retries.of(work).isExhausted(work.attempts());
	}

	private static boolean isStopped(Work work, Set<UUID> stopped) {
		UUID stream = work.stream();
		return stream != null && stopped.contains(stream);
	}

	private List<SendResult> send(Transport transport, List<Work> batch) {
		Exception refusal = this.unreachable.refuse(transport.name());
		if (refusal != null) {
			return batch.stream().map((work) -> SendResult.unreachable(refusal)).toList();
		}
		List<SendResult> results = List.of();
		try {
			results = trySend(transport, batch);
			return results;
		}
		finally {
			this.unreachable.report(transport.name(), results);
		}
	}

	private static List<SendResult> trySend(Transport transport, List<Work> batch) {
		try {
			List<SendResult> results = transport.send(batch.stream().map(Work::envelope).toList());
			Assert.state(results.size() == batch.size(),
					() -> "The transport \"%s\" was given %d messages but returned %d results; it must return one for each"
						.formatted(transport.name(), batch.size(), results.size()));
			return results;
		}
		catch (RuntimeException ex) {
			return batch.stream().map((work) -> SendResult.failed(ex)).toList();
		}
	}

	private Outcome outcome(Work work, SendResult result) {
		return switch (result.status()) {
			case SENT -> Outcome.DONE;
			case NOT_SENT -> Outcome.RELEASE;
			case FAILED -> this.retries.of(work).afterFailure(work.attempts(), failure(result));
			case UNREACHABLE -> new Outcome.Postpone(this.unreachableDelay, String.valueOf(failure(result)));
		};
	}

	/** Also for transports of the application that leave out why. */
	static Exception failure(SendResult result) {
		return (result.failure() != null) ? result.failure()
				: new IllegalStateException("The transport gives no reason");
	}

}
