package io.whizbang.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and tags of a job's run.
 */
public interface RunConvention extends ObservationConvention<RunContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof RunContext;
	}

	/**
	 * What holds unless the application has another convention.
	 */
	final class Default implements RunConvention {

		static final RunConvention INSTANCE = new Default();

		@Override
		public String getName() {
			return ObservationNames.RUN;
		}

		@Override
		public String getContextualName(RunContext context) {
			return "run " + context.job();
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(RunContext context) {
			return KeyValues.of(WhizbangObservation.Tag.JOB.withValue(context.jobTag()));
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(RunContext context) {
			return KeyValues.of(WhizbangObservation.Tag.RUN_ID.withValue(Long.toString(context.run())),
					WhizbangObservation.Tag.ATTEMPT.withValue(Integer.toString(context.attempt())));
		}

	}

}
