package io.whizbang.perspective;

import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * G7 where pages are read before those in front of them are committed.
 */
@PostgresTest
class PageAheadTests {

	private static final PerspectiveSettings SMALL_PAGES = PerspectiveFixture.SETTINGS.withPages(10, 4);

	private final PerspectiveFixture fixture;

	PageAheadTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void streamsOverManyPagesAreAppliedWithoutAnythingInVain() {
		for (int i = 0; i < 50; i++) {
			this.fixture.append("A", 7);
			this.fixture.append("B", 2);
		}
		AtomicInteger calls = new AtomicInteger();
		this.fixture.start(SMALL_PAGES, new RecordingPerspective("p").before((event, run) -> calls.incrementAndGet()));
		this.fixture.awaitApplied("p", 450);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(calls).as("a page that knows streams where they were is applied twice").hasValue(450);
	}

	@Test
	void whatWasReadBehindAFailureIsForgotten() {
		for (int i = 0; i < 20; i++) {
			this.fixture.append("A", 3);
			this.fixture.append("B", 3);
		}
		AtomicInteger failures = new AtomicInteger(3);
		this.fixture.start(SMALL_PAGES, new RecordingPerspective("p").before((event, run) -> {
			if (event.version() == 11 && failures.getAndDecrement() > 0) {
				throw new IllegalStateException("not now");
			}
		}));
		this.fixture.awaitApplied("p", 120);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

}
