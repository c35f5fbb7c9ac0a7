package io.whizbang.observation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class JobObservationsTests {

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final List<Observation.Context> stopped = new ArrayList<>();

	private final JobObservations observations = new JobObservations(this.registry, null);

	JobObservationsTests() {
		this.registry.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				JobObservationsTests.this.stopped.add(context);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
	}

	@Test
	void tellWhichTryOfWhichRunItWasAndWhyItFailed() {
		assertThatIOException().isThrownBy(() -> this.observations.run("nightly", 7, 2, () -> {
			throw new IOException("broken");
		}));
		assertThat(this.stopped).singleElement().satisfies((context) -> {
			assertThat(context.getName()).isEqualTo("whizbang.run");
			assertThat(context.getContextualName()).isEqualTo("run nightly");
			assertThat(context.getError()).hasMessage("broken");
			assertThat(context.getAllKeyValues()).extracting(Object::toString)
				.containsExactlyInAnyOrder("keyValue(job=nightly)", "keyValue(run.id=7)", "keyValue(attempt=2)");
		});
	}

	@Test
	void tagsDoNotGrowWithJobsThatAreMadeUp() {
		for (int i = 0; i < 1_000; i++) {
			this.observations.run("made-up-" + i, i, 1, () -> {
			});
		}
		assertThat(this.stopped.stream().map(Observation.Context::getLowCardinalityKeyValues).distinct())
			.hasSize(BoundedNames.MAX + 1);
	}

}
