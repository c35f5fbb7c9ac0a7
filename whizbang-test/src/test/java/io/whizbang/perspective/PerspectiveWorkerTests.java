package io.whizbang.perspective;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class PerspectiveWorkerTests {

	private final PerspectiveFixture fixture;

	PerspectiveWorkerTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void appliesWhatWasThereAndWhatComes() {
		this.fixture.append("A", 3);
		this.fixture.append("B", 2);
		this.fixture.start(new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 5);
		this.fixture.append("A", 2);
		this.fixture.awaitApplied("p", 7);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(this.fixture.applied("p")).hasSize(7).startsWith("A/1", "A/2", "A/3", "B/1", "B/2");
	}

	@Test
	void sharesTheShardsAmongInstances() {
		RecordingPerspective one = new RecordingPerspective("p");
		RecordingPerspective other = new RecordingPerspective("p");
		PerspectiveInstance first = this.fixture.start(one);
		PerspectiveInstance second = this.fixture.start(other);
		Await.until("each has half", () -> first.worker.shards() == 8 && second.worker.shards() == 8);
		for (int i = 0; i < 50; i++) {
			this.fixture.append("stream-" + i, 4);
		}
		this.fixture.awaitApplied("p", 200);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(this.fixture.jdbc.queryForList("select distinct instance from applied", String.class)).hasSize(2);
	}

}
