package io.whizbang.perspective;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.whizbang.event.Appended;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.PerspectiveFixture.Closed;
import io.whizbang.perspective.PerspectiveFixture.Noted;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Who has written can wait until it reads what it wrote.
 */
@PostgresTest
class AwaitTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	AwaitTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void everyWriteIsThereAfterTheWait() {
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		for (int i = 1; i <= 50; i++) {
			Appended appended = this.fixture.append("s-" + i % 5, 2);
			assertThat(instance.perspectives.await("p", appended, LONG)).isTrue();
			assertThat(this.fixture.applied("p")).hasSize(2 * i);
		}
	}

	@Test
	void whoeverAppliesItElsewhereIsHeardOfToo() {
		this.fixture.start(new RecordingPerspective("p"));
		PerspectiveInstance bystander = this.fixture.start(new RecordingPerspective("q"));
		Appended appended = this.fixture.append("A", 1);
		assertThat(bystander.perspectives.await("p", appended, LONG)).isTrue();
		assertThat(this.fixture.applied("p")).hasSize(1);
	}

	@Test
	void whatAPerspectiveDoesNotWantCountsAsThere() {
		PerspectiveInstance instance = this.fixture
			.start(new RecordingPerspective("p").wanting(PerspectiveFixture.only("noted")));
		Appended appended = this.fixture.store.append("A", ExpectedVersion.any(), new Closed("done"));
		assertThat(instance.perspectives.await("p", appended, LONG)).isTrue();
		assertThat(this.fixture.applied("p")).isEmpty();
	}

	@Test
	void aStreamThatHasStoppedIsNotThereUntilItGoesOn() {
		AtomicBoolean broken = new AtomicBoolean(true);
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p").before((event, run) -> {
			if (broken.get()) {
				throw new IllegalStateException("broken");
			}
		}));
		Appended appended = this.fixture.append("A", 2);
		assertThat(instance.perspectives.await("p", appended, Duration.ofMillis(300))).isFalse();
		broken.set(false);
		assertThat(instance.perspectives.await("p", appended, LONG)).isTrue();
		assertThat(this.fixture.applied("p")).hasSize(2);
	}

	@Test
	void whatIsNotCommittedCannotBeWaitedFor() {
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		new TransactionTemplate(new JdbcTransactionManager(this.database.dataSource()))
			.executeWithoutResult((status) -> {
				Appended appended = this.fixture.store.append("A", ExpectedVersion.any(), new Noted(1));
				assertThatIllegalStateException()
					.isThrownBy(() -> instance.perspectives.await("p", appended, Duration.ofMinutes(1)))
					.withMessageContaining("not committed");
			});
	}

	@Test
	void whoOnlyKnowsTheVersionWaitsForItOnAnyInstance() {
		this.fixture.start(new RecordingPerspective("p"));
		PerspectiveInstance bystander = this.fixture.start(new RecordingPerspective("q"));
		for (int i = 1; i <= 20; i++) {
			long version = this.fixture.append("A", 2).lastVersion();
			assertThat(bystander.perspectives.await("p", StreamId.of("A"), version, LONG)).isTrue();
			assertThat(this.fixture.applied("p")).hasSize(2 * i);
			assertThat(bystander.perspectives.await("q", StreamId.of("A"), version, LONG)).isTrue();
			assertThat(this.fixture.applied("q")).hasSize(2 * i);
		}
	}

	@Test
	void aVersionThatDoesNotExistIsNotThere() {
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		Appended appended = this.fixture.append("A", 2);
		assertThat(instance.perspectives.await("p", appended, LONG)).isTrue();
		Duration brief = Duration.ofMillis(100);
		assertThat(instance.perspectives.await("p", StreamId.of("A"), 3, brief)).as("not yet").isFalse();
		assertThat(instance.perspectives.await("p", StreamId.of("B"), 1, brief)).as("no stream").isFalse();
		assertThat(instance.perspectives.await("p", StreamId.of("A"), 1, Duration.ZERO)).as("an older one").isTrue();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> instance.perspectives.await("p", StreamId.of("A"), 0, brief))
			.withMessageContaining("at least 1")
			.withMessageContaining("is 0");
	}

	@Test
	void aVersionThatComesLaterIsWaitedFor() throws Exception {
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		CompletableFuture<Boolean> there = CompletableFuture
			.supplyAsync(() -> instance.perspectives.await("p", StreamId.of("A"), 2, LONG));
		Await.until("somebody waits", () -> instance.worker.waiters().isAwaited("p"));
		assertThat(instance.perspectives.await("p", this.fixture.append("A", 1), LONG)).isTrue();
		assertThat(there).isNotDone();
		this.fixture.append("A", 1);
		assertThat(there.get()).isTrue();
		assertThat(this.fixture.applied("p")).hasSize(2);
	}

	@Test
	void aVersionThatIsNotCommittedIsNotThereAlsoForWhoHasAppendedIt() {
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		new TransactionTemplate(new JdbcTransactionManager(this.database.dataSource()))
			.executeWithoutResult((status) -> {
				long version = this.fixture.store.append("A", ExpectedVersion.any(), new Noted(1)).lastVersion();
				assertThat(instance.perspectives.await("p", StreamId.of("A"), version, Duration.ofMillis(100)))
					.isFalse();
			});
		assertThat(instance.perspectives.await("p", StreamId.of("A"), 1, LONG)).isTrue();
	}

}
