package io.whizbang.observation;

import java.time.Duration;
import java.util.List;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import io.whizbang.work.WorkListener;

/**
 * Counts and times what the engine does.
 */
public final class MicrometerWorkListener implements WorkListener {

	private static final String CONFLICT = "conflict";

	private final BoundedNames topics = new BoundedNames();

	private final MeterProvider<Counter> ended;

	private final MeterProvider<Counter> claimed;

	private final MeterProvider<Timer> exchanges;

	private final MeterProvider<Counter> roundFailures;

	private final MeterProvider<Counter> claimsLost;

	private final MeterProvider<Counter> recovered;

	private final MeterProvider<Counter> orphaned;

	private final MeterProvider<Counter> received;

	private final MeterProvider<Counter> unhandled;

	public MicrometerWorkListener(MeterRegistry registry) {
		this.ended = counter(registry, ObservationNames.WORK_ENDED, "Messages whose work has ended");
		this.claimed = counter(registry, ObservationNames.WORK_CLAIMED, "Messages claimed");
		this.exchanges = Timer.builder(ObservationNames.EXCHANGE)
			.description("Round trips to the coordinator")
			.withRegistry(registry);
		this.roundFailures = counter(registry, ObservationNames.ROUND_FAILURES, "Rounds of the loop that failed");
		this.claimsLost = counter(registry, ObservationNames.CLAIMS_LOST,
				"Claims whose lease ended before the work did");
		this.recovered = counter(registry, ObservationNames.MESSAGES_RECOVERED,
				"Messages recovered from vanished or stuck instances");
		this.orphaned = counter(registry, ObservationNames.MESSAGES_ORPHANED,
				"Messages that only the safety sweep found; anything but 0 is a bug");
		this.received = counter(registry, ObservationNames.MESSAGES_RECEIVED, "Messages that arrived");
		this.unhandled = counter(registry, ObservationNames.MESSAGES_UNHANDLED,
				"Messages that came by and had no receptor");
	}

	/**
	 * Shows zero for trouble that a queue has not had: what appears with its first event
	 * has not grown, and no rule would fire.
	 * @param queue a queue that is there
	 */
	public void expect(Queue queue) {
		List.of(this.claimsLost, this.recovered, this.orphaned)
			.forEach((counter) -> counter.withTag(ObservationNames.QUEUE, queue.label()));
		if (queue == Queue.INBOX) {
			this.received.withTags(ObservationNames.QUEUE, queue.label(), ObservationNames.OUTCOME, CONFLICT);
		}
	}

	@Override
	public void exchanged(Queue queue, int claimed, Duration took) {
		this.exchanges.withTag(ObservationNames.QUEUE, queue.label()).record(took);
		if (claimed > 0) {
			this.claimed.withTag(ObservationNames.QUEUE, queue.label()).increment(claimed);
		}
	}

	@Override
	public void roundFailed(Queue queue, Exception failure) {
		this.roundFailures
			.withTags(ObservationNames.QUEUE, queue.label(), ObservationNames.EXCEPTION,
					failure.getClass().getSimpleName())
			.increment();
	}

	@Override
	public void ended(Queue queue, Work work, Outcome outcome) {
		this.ended
			.withTags(ObservationNames.QUEUE, queue.label(), ObservationNames.TOPIC, topic(work),
					ObservationNames.OUTCOME, OutcomeNames.of(outcome))
			.increment();
	}

	@Override
	public void claimsLost(Queue queue, int count) {
		this.claimsLost.withTag(ObservationNames.QUEUE, queue.label()).increment(count);
	}

	@Override
	public void messagesRecovered(Queue queue, int count) {
		this.recovered.withTag(ObservationNames.QUEUE, queue.label()).increment(count);
	}

	@Override
	public void orphansFound(Queue queue, int count) {
		this.orphaned.withTag(ObservationNames.QUEUE, queue.label()).increment(count);
	}

	@Override
	public void received(Queue queue, int accepted, int duplicates, int conflicts) {
		received(queue, "accepted", accepted);
		received(queue, "duplicate", duplicates);
		received(queue, CONFLICT, conflicts);
	}

	private void received(Queue queue, String outcome, int count) {
		if (count > 0) {
			this.received.withTags(ObservationNames.QUEUE, queue.label(), ObservationNames.OUTCOME, outcome)
				.increment(count);
		}
	}

	@Override
	public void unhandled(Queue queue, Work work) {
		this.unhandled.withTags(ObservationNames.QUEUE, queue.label(), ObservationNames.TOPIC, topic(work)).increment();
	}

	private String topic(Work work) {
		return this.topics.of(work.envelope().topic());
	}

	private static MeterProvider<Counter> counter(MeterRegistry registry, String name, String description) {
		return Counter.builder(name).description(description).withRegistry(registry);
	}

}
