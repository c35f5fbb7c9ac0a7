package io.whizbang.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and tags of what a perspective applies in one transaction.
 */
public interface ApplyConvention extends ObservationConvention<ApplyContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ApplyContext;
	}

	/**
	 * What holds unless the application has another convention.
	 */
	final class Default implements ApplyConvention {

		static final ApplyConvention INSTANCE = new Default();

		@Override
		public String getName() {
			return ObservationNames.APPLY;
		}

		@Override
		public String getContextualName(ApplyContext context) {
			return "apply " + context.perspective();
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(ApplyContext context) {
			return KeyValues.of(WhizbangObservation.Tag.PERSPECTIVE.withValue(context.perspective()));
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(ApplyContext context) {
			String stream = context.stream();
			return KeyValues.of(WhizbangObservation.Tag.STREAM.withValue((stream != null) ? stream : "none"),
					WhizbangObservation.Tag.COUNT.withValue(Integer.toString(context.count())));
		}

	}

}
