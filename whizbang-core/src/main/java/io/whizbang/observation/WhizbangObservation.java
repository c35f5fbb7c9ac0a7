package io.whizbang.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations that Whizbang makes.
 */
public enum WhizbangObservation implements ObservationDocumentation {

	/** Messages are enqueued; their trace context travels on with them. */
	ENQUEUE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return EnqueueConvention.Default.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { Tag.QUEUE, Tag.TOPIC };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { Tag.COUNT };
		}

	},

	/** A message is delivered, in the trace that it was enqueued in. */
	DELIVER {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DeliverConvention.Default.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { Tag.QUEUE, Tag.TOPIC, Tag.DESTINATION, Tag.OUTCOME };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { Tag.MESSAGE_ID, Tag.STREAM };
		}

	},

	/** A receptor handles a message, in the trace that the message came with. */
	HANDLE {
		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return HandleConvention.Default.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { Tag.TOPIC, Tag.RECEPTOR };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { Tag.MESSAGE_ID, Tag.STREAM };
		}

	},

	/** Events are appended; their trace context is kept with them. */
	APPEND {
		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return AppendConvention.Default.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { Tag.TYPE };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { Tag.STREAM, Tag.COUNT };
		}

	},

	/** A perspective applies events, in one transaction and a trace of its own. */
	APPLY {
		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return ApplyConvention.Default.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { Tag.PERSPECTIVE };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { Tag.STREAM, Tag.COUNT };
		}

	},

	/** The handler of a job's run works; what it enqueues belongs to the run's trace. */
	RUN {
		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return RunConvention.Default.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { Tag.JOB };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { Tag.RUN_ID, Tag.ATTEMPT };
		}

	};

	@Override
	public String getPrefix() {
		return "whizbang";
	}

	/** Keys of the observations' values. */
	public enum Tag implements KeyName {

		/** The queue. */
		QUEUE(ObservationNames.QUEUE),

		/** The topic. */
		TOPIC(ObservationNames.TOPIC),

		/** Name of the transport, or "handlers". */
		DESTINATION(ObservationNames.DESTINATION),

		/** Name of the receptor. */
		RECEPTOR(ObservationNames.RECEPTOR),

		/** The type of an event. */
		TYPE(ObservationNames.TYPE),

		/** Name of the perspective. */
		PERSPECTIVE(ObservationNames.PERSPECTIVE),

		/** Name of the job. */
		JOB(ObservationNames.JOB),

		/** What became of the delivery. */
		OUTCOME(ObservationNames.OUTCOME),

		/** How many messages were enqueued, or events appended or applied, together. */
		COUNT(ObservationNames.COUNT),

		/** Identity of the message. */
		MESSAGE_ID(ObservationNames.MESSAGE_ID),

		/** Stream of the message. */
		STREAM(ObservationNames.STREAM),

		/** Number of the run. */
		RUN_ID(ObservationNames.RUN_ID),

		/** Which try it is. */
		ATTEMPT(ObservationNames.ATTEMPT);

		private final String key;

		Tag(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
