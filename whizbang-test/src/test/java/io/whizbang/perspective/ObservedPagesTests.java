package io.whizbang.perspective;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.whizbang.observation.ApplyContext;
import io.whizbang.observation.PerspectiveObservations;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a perspective applies is observed by the transaction, and not by the event.
 */
@PostgresTest
class ObservedPagesTests {

	private final PerspectiveFixture fixture;

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final List<ApplyContext> observed = new CopyOnWriteArrayList<>();

	ObservedPagesTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
		this.registry.observationConfig().observationHandler(new ObservationHandler<ApplyContext>() {

			@Override
			public void onStop(ApplyContext context) {
				ObservedPagesTests.this.observed.add(context);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return context instanceof ApplyContext;
			}

		});
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void aPageIsObservedOnceHoweverManyEventsItHas() {
		this.fixture.append("A", 50);
		start(new RecordingPerspective("p").before((event, run) -> assertThat(current()).isEqualTo("p")));
		this.fixture.awaitApplied("p", 50);
		Await.untilAsserted(() -> assertThat(this.observed).singleElement().satisfies((page) -> {
			assertThat(page.getContextualName()).isEqualTo("apply p");
			assertThat(page.count()).isEqualTo(50);
			assertThat(page.stream()).isNull();
			assertThat(page.getError()).isNull();
		}));
	}

	@Test
	void aFailureIsObservedAsTheHandlerThrewItAndTheStreamThatGoesByItselfByItsKey() {
		AtomicBoolean broken = new AtomicBoolean(true);
		start(new RecordingPerspective("p").before((event, run) -> {
			if (broken.get()) {
				throw new IllegalStateException("bad event");
			}
		}));
		this.fixture.append("A", 3);
		Await.untilAsserted(() -> {
			assertThat(this.observed).anyMatch((page) -> page.stream() == null && isBadEvent(page));
			assertThat(this.observed).anyMatch((page) -> "A".equals(page.stream()) && isBadEvent(page));
		});
		broken.set(false);
		this.fixture.awaitApplied("p", 3);
		Await.untilAsserted(() -> assertThat(this.observed)
			.anyMatch((page) -> "A".equals(page.stream()) && page.count() == 3 && page.getError() == null));
	}

	private static boolean isBadEvent(ApplyContext page) {
		return page.getError() instanceof IllegalStateException failure && "bad event".equals(failure.getMessage());
	}

	private String current() {
		Observation current = this.registry.getCurrentObservation();
		return (current != null && current.getContext() instanceof ApplyContext context) ? context.perspective()
				: "nothing";
	}

	private void start(PerspectiveHandler handler) {
		this.fixture.prepare((parts) -> parts.with(new PerspectiveObservations(this.registry, null)), handler).worker
			.start();
	}

}
