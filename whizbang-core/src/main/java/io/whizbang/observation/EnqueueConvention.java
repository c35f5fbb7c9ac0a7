package io.whizbang.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and tags of an enqueue.
 */
public interface EnqueueConvention extends ObservationConvention<EnqueueContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof EnqueueContext;
	}

	/**
	 * What holds unless the application has another convention.
	 */
	final class Default implements EnqueueConvention {

		static final EnqueueConvention INSTANCE = new Default();

		@Override
		public String getName() {
			return ObservationNames.ENQUEUE;
		}

		@Override
		public String getContextualName(EnqueueContext context) {
			return "enqueue " + context.topic();
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(EnqueueContext context) {
			return KeyValues.of(WhizbangObservation.Tag.QUEUE.withValue(context.queue().label()),
					WhizbangObservation.Tag.TOPIC.withValue(context.topicTag()));
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(EnqueueContext context) {
			return KeyValues.of(WhizbangObservation.Tag.COUNT.withValue(Integer.toString(context.count())));
		}

	}

}
