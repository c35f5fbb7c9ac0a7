package io.whizbang.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.whizbang.message.StreamId;

/**
 * Names and tags of a receptor's work.
 */
public interface HandleConvention extends ObservationConvention<HandleContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof HandleContext;
	}

	/**
	 * What holds unless the application has another convention.
	 */
	final class Default implements HandleConvention {

		static final HandleConvention INSTANCE = new Default();

		@Override
		public String getName() {
			return ObservationNames.HANDLE;
		}

		@Override
		public String getContextualName(HandleContext context) {
			return "handle " + context.envelope().topic();
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(HandleContext context) {
			return KeyValues.of(WhizbangObservation.Tag.TOPIC.withValue(context.topicTag()),
					WhizbangObservation.Tag.RECEPTOR.withValue(context.receptor()));
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(HandleContext context) {
			StreamId stream = context.envelope().stream();
			return KeyValues.of(WhizbangObservation.Tag.MESSAGE_ID.withValue(context.envelope().id().toString()),
					WhizbangObservation.Tag.STREAM.withValue((stream != null) ? stream.key() : "none"));
		}

	}

}
