package io.whizbang.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and tags of an append.
 */
public interface AppendConvention extends ObservationConvention<AppendContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof AppendContext;
	}

	/**
	 * What holds unless the application has another convention.
	 */
	final class Default implements AppendConvention {

		static final AppendConvention INSTANCE = new Default();

		@Override
		public String getName() {
			return ObservationNames.APPEND;
		}

		@Override
		public String getContextualName(AppendContext context) {
			return "append " + context.type();
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(AppendContext context) {
			return KeyValues.of(WhizbangObservation.Tag.TYPE.withValue(context.type()));
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(AppendContext context) {
			return KeyValues.of(WhizbangObservation.Tag.STREAM.withValue(context.stream()),
					WhizbangObservation.Tag.COUNT.withValue(Integer.toString(context.count())));
		}

	}

}
