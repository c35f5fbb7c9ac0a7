package io.whizbang.timer;

import java.time.Duration;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.whizbang.observation.ObservationNames;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import io.whizbang.work.WorkListener;

/**
 * Shows how late timers fire.
 */
public final class MicrometerTimerListener implements WorkListener {

	private final Timer lateness;

	public MicrometerTimerListener(MeterRegistry registry) {
		this.lateness = Timer.builder(ObservationNames.TIMER_LATENESS)
			.description("How late timers fire, by the database's clock")
			.serviceLevelObjectives(Duration.ofMillis(5), Duration.ofMillis(20), Duration.ofMillis(100),
					Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(30),
					Duration.ofMinutes(5))
			.register(registry);
	}

	/**
	 * Only the first delivery counts, and only where it was one: what is given back or
	 * put off comes again as if for the first time.
	 */
	@Override
	public void ended(Queue queue, Work work, Outcome outcome) {
		if (queue == Queue.OUTBOX && work.attempts() == 0 && isDelivery(outcome) && DueTimer.isIn(work.envelope())) {
			this.lateness.record(DueTimer.of(work.envelope()).lateness());
		}
	}

	private static boolean isDelivery(Outcome outcome) {
		return outcome instanceof Outcome.Done || outcome instanceof Outcome.Retry || outcome instanceof Outcome.Dead;
	}

}
