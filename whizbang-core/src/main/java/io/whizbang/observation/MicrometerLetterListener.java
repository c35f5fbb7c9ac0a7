package io.whizbang.observation;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.whizbang.letter.AuditEntry.Action;
import io.whizbang.letter.LetterListener;
import io.whizbang.work.Queue;

/**
 * Counts what is decided about dead letters.
 */
public final class MicrometerLetterListener implements LetterListener {

	private final MeterProvider<Counter> replayed;

	private final MeterProvider<Counter> discarded;

	public MicrometerLetterListener(MeterRegistry registry) {
		this.replayed = Counter.builder(ObservationNames.DEAD_LETTERS_REPLAYED)
			.description("Dead letters put back into their streams")
			.withRegistry(registry);
		this.discarded = Counter.builder(ObservationNames.DEAD_LETTERS_DISCARDED)
			.description("Dead letters removed for good")
			.withRegistry(registry);
	}

	@Override
	public void decided(Action action, Queue queue, int count) {
		MeterProvider<Counter> counter = (action == Action.REPLAYED) ? this.replayed : this.discarded;
		counter.withTag(ObservationNames.QUEUE, queue.label()).increment(count);
	}

}
