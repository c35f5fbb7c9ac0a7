package io.whizbang.observation;

import java.util.Map;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class EventObservationsTests {

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final Tracing tracing = new Tracing();

	private final EventObservations observations = new EventObservations(this.registry, null);

	EventObservationsTests() {
		this.registry.observationConfig().observationHandler(this.tracing);
	}

	@Test
	void giveEventsTheTraceThatAppendsThem() {
		Map<String, String> metadata = this.observations.append("A", "order-placed", 2, Map::copyOf);
		assertThat(metadata).containsEntry("traceparent", "00-trace-span-01");
		assertThat(this.tracing.stopped).isNotNull()
			.satisfies((context) -> assertThat(context.getContextualName()).isEqualTo("append order-placed"));
	}

	@Test
	void tellWhyAnAppendFailed() {
		assertThatIllegalStateException().isThrownBy(() -> this.observations.append("A", "order-placed", 1, (added) -> {
			throw new IllegalStateException("conflict");
		}));
		assertThat(this.tracing.stopped).isNotNull()
			.satisfies((context) -> assertThat(context.getError()).hasMessage("conflict"));
	}

	@Test
	void costNothingWithoutARegistry() {
		assertThat(EventObservations.NONE.<Map<String, String>>append("A", "order-placed", 1, (added) -> added))
			.isEmpty();
	}

	/** Does what a tracer would do. */
	private static final class Tracing implements ObservationHandler<AppendContext> {

		private @Nullable AppendContext stopped;

		@Override
		public void onStart(AppendContext context) {
			context.getSetter().set(context.getCarrier(), "traceparent", "00-trace-span-01");
		}

		@Override
		public void onStop(AppendContext context) {
			this.stopped = context;
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof AppendContext;
		}

	}

}
