package io.whizbang.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.whizbang.message.StreamId;

/**
 * Names and tags of a delivery.
 */
public interface DeliverConvention extends ObservationConvention<DeliverContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof DeliverContext;
	}

	/**
	 * What holds unless the application has another convention.
	 */
	final class Default implements DeliverConvention {

		static final DeliverConvention INSTANCE = new Default();

		@Override
		public String getName() {
			return ObservationNames.DELIVER;
		}

		@Override
		public String getContextualName(DeliverContext context) {
			return "deliver " + context.envelope().topic();
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(DeliverContext context) {
			return KeyValues.of(WhizbangObservation.Tag.QUEUE.withValue(context.queue().label()),
					WhizbangObservation.Tag.TOPIC.withValue(context.topicTag()),
					WhizbangObservation.Tag.DESTINATION.withValue(context.destination()),
					WhizbangObservation.Tag.OUTCOME.withValue(OutcomeNames.of(context.outcome())));
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(DeliverContext context) {
			StreamId stream = context.envelope().stream();
			return KeyValues.of(WhizbangObservation.Tag.MESSAGE_ID.withValue(context.envelope().id().toString()),
					WhizbangObservation.Tag.STREAM.withValue((stream != null) ? stream.key() : "none"));
		}

	}

}
