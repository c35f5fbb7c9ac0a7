package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.event.ExpectedVersion;
import io.whizbang.outbox.CountingDataSource;
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
 * What a worker does beside its work: it asks whether the database is ready, tells when
 * it begins and when there is nothing left, and commits as it was told to.
 */
@PostgresTest
class CallbackTests {

	private final PerspectiveFixture fixture;

	private final List<String> heard = new CopyOnWriteArrayList<>();

	CallbackTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void whatWasThereIsAppliedBeforeTheFirstWait() {
		this.fixture.append("A", 3);
		// Nobody signals, and the second poll would come in an hour.
		PerspectiveInstance instance = this.fixture.prepare(
				(parts) -> parts
					.with(parts.settings().withPoll(Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1))),
				new RecordingPerspective("p"));
		instance.worker.start();
		this.fixture.awaitApplied("p", 3);
	}

	@Test
	void idleIsToldOnceAfterTwoEmptyPollsAndStartedWhenThereIsWorkAgain() {
		PerspectiveInstance instance = this.fixture.prepare((parts) -> parts.with(listener()),
				new RecordingPerspective("p"));
		instance.worker.start();
		Await.until("idle", () -> this.heard.equals(List.of("idle")));
		this.fixture.append("A", 1);
		Await.until("work and idle again", () -> this.heard.equals(List.of("idle", "started", "idle")));
		awaitPolls(instance, 10);
		assertThat(this.heard).as("told once").containsExactly("idle", "started", "idle");
		this.fixture.append("A", 1);
		Await.until("once more", () -> this.heard.equals(List.of("idle", "started", "idle", "started", "idle")));
	}

	@Test
	void whatWasRolledBackIsNoWorkAndNoSecondIdleness() {
		PerspectiveInstance instance = this.fixture.prepare((parts) -> parts.with(listener()),
				new RecordingPerspective("p"));
		instance.worker.start();
		Await.until("idle", () -> this.heard.equals(List.of("idle")));
		for (int i = 0; i < 3; i++) {
			new TransactionTemplate(new JdbcTransactionManager(this.fixture.database.dataSource()))
				.executeWithoutResult((status) -> {
					this.fixture.append("A", 1);
					status.setRollbackOnly();
				});
			this.fixture.awaitDone(instance, "p");
			awaitPolls(instance, 4);
		}
		assertThat(this.heard).containsExactly("idle");
	}

	@Test
	void aDatabaseThatIsNotReadyIsWaitedForAndCounted() {
		AtomicBoolean ready = new AtomicBoolean();
		AtomicInteger misses = new AtomicInteger();
		this.fixture.append("A", 1);
		PerspectiveInstance instance = this.fixture.prepare((parts) -> parts
			.with(parts.settings().withPoll(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(5)))
			.with((DatabaseReadiness) () -> {
				if (misses.get() == 5) {
					throw new IllegalStateException("the check itself fails");
				}
				return ready.get();
			})
			.with(new PerspectiveListener() {
				@Override
				public void notReady(int count) {
					misses.set(count);
				}
			}), new RecordingPerspective("p"));
		instance.worker.start();
		Await.until("many misses", () -> misses.get() > 10);
		assertThat(instance.worker.consecutiveMisses()).isGreaterThanOrEqualTo(10);
		assertThat(this.fixture.applied("p")).isEmpty();
		ready.set(true);
		this.fixture.awaitApplied("p", 1);
		assertThat(instance.worker.consecutiveMisses()).isZero();
	}

	@Test
	void aConnectionThatCannotBeHadIsNotReady() {
		assertThat(DatabaseReadiness.ofConnection(this.fixture.database.dataSource()).isReady()).isTrue();
		CountingDataSource broken = new CountingDataSource(this.fixture.database.dataSource()) {
			@Override
			public java.sql.Connection getConnection() throws java.sql.SQLException {
				throw new java.sql.SQLException("no");
			}
		};
		assertThat(DatabaseReadiness.ofConnection(broken).isReady()).isFalse();
	}

	@Test
	void aPageIsOneTransactionUnlessTheStrategyEndsItEarlier() {
		assertThat(transactions((parts) -> parts)).isEqualTo(1);
		assertThat(transactions((parts) -> parts.with(CompletionStrategy.instant()))).isEqualTo(12);
		assertThat(transactions((parts) -> parts.with((CompletionStrategy) (event, applied) -> applied == 5)))
			.isEqualTo(3);
		assertThat(transactions((parts) -> parts.with(parts.settings().withPages(1000, 4)))).isEqualTo(3);
	}

	private long transactions(PerspectiveInstance.Choice choice) {
		this.fixture.jdbc.execute("truncate applied, whizbang.wh_events, whizbang.wh_streams");
		this.fixture.jdbc.execute(
				"""
						truncate whizbang.wh_perspectives, whizbang.wh_perspective_shards, whizbang.wh_perspective_checkpoints""");
		this.fixture.append("A", 12);
		PerspectiveInstance instance = this.fixture.prepare(choice, new RecordingPerspective("p"));
		instance.worker.start();
		this.fixture.awaitApplied("p", 12);
		instance.close();
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		return this.fixture.count("select count(distinct tx) from applied");
	}

	@Test
	void interestIsAskedOncePerTypeAndKeptForPeopleToSee() {
		AtomicInteger asked = new AtomicInteger();
		this.fixture.start(new RecordingPerspective("p").wanting((name, type) -> {
			asked.incrementAndGet();
			assertThat(type).isEqualTo(name.equals("noted") ? Noted.class : Closed.class);
			return name.equals("noted");
		}));
		for (int i = 0; i < 20; i++) {
			this.fixture.store.append("A", ExpectedVersion.any(), new Closed("no"), new Noted(i));
		}
		this.fixture.awaitApplied("p", 20);
		assertThat(asked).hasValue(2);
		assertThat(this.fixture.jdbc
			.queryForList("select event_type || ' ' || interested from whizbang.wh_perspective_mappings", String.class))
			.containsExactlyInAnyOrder("noted true", "closed false");
		// Once there is a checkpoint it moves with what is not wanted, too.
		Await.until("the whole stream is passed", () -> this.fixture.checkpoint("A").get("version").equals(40L));
	}

	@Test
	void aStreamThatNobodyWantsHasNoCheckpointAndOneBeginsBeforeTheFirstThatIsWanted() {
		this.fixture.store.append("A", ExpectedVersion.any(), new Closed("1"), new Closed("2"));
		this.fixture.store.append("B", ExpectedVersion.any(), new Closed("1"), new Closed("2"), new Noted(3));
		this.fixture.start(new RecordingPerspective("p").wanting(PerspectiveFixture.only("noted")));
		this.fixture.awaitApplied("p", 1);
		assertThat(this.fixture.applied("p")).containsExactly("B/3");
		assertThat(this.fixture.status("A")).isEqualTo(-1);
		assertThat(this.fixture.checkpoint("B")).containsEntry("version", 3L);
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("p", 2);
		assertThat(this.fixture.applied("p")).containsExactly("B/3", "A/3");
	}

	@Test
	void settingsRefuseWhatMakesNoSense() {
		PerspectiveSettings good = PerspectiveSettings.defaults();
		assertThatIllegalArgumentException().isThrownBy(() -> good.withPages(0, 1)).withMessageContaining("pageSize");
		assertThatIllegalArgumentException().isThrownBy(() -> good.withPages(1, 0))
			.withMessageContaining("streamBatch");
		assertThatIllegalArgumentException().isThrownBy(() -> good.withLease(Duration.ZERO))
			.withMessageContaining("lease");
		assertThatIllegalArgumentException().isThrownBy(() -> good.withConcurrency(0))
			.withMessageContaining("concurrency");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> good.withPoll(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(3)))
			.withMessageContaining("maxPoll");
		assertThatIllegalArgumentException().isThrownBy(() -> good.withRetireAfter(Duration.ofMillis(1999)))
			.withMessageContaining("retireAfter must be at least PT2S")
			.withMessageContaining("but is PT1.999S");
		assertThat(good.withRetireAfter(Duration.ofSeconds(2)).retireAfter()).isEqualTo(Duration.ofSeconds(2));
		assertThatIllegalStateException()
			.isThrownBy(() -> this.fixture.prepare((parts) -> parts, new RecordingPerspective("p"),
					new RecordingPerspective("p")))
			.withMessageContaining("two perspectives");
	}

	@Test
	void codeThatCannotBeginKeepsNoOtherFromBeginning() {
		AtomicBoolean broken = new AtomicBoolean(true);
		this.fixture.append("A", 1);
		this.fixture.start(new RecordingPerspective("bad") {
			@Override
			public void prepare(PerspectiveRun run) {
				if (broken.get()) {
					throw new IllegalStateException("no table");
				}
			}
		}, new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 1);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspectives where name = 'bad'")).isZero();
		broken.set(false);
		this.fixture.awaitApplied("bad", 1);
	}

	private static void awaitPolls(PerspectiveInstance instance, int polls) {
		for (int i = 0; i < polls; i++) {
			instance.worker.look();
			Await.until("a poll", instance.worker::hasLooked);
		}
	}

	private PerspectiveListener listener() {
		return new PerspectiveListener() {
			@Override
			public void started() {
				CallbackTests.this.heard.add("started");
			}

			@Override
			public void idle() {
				CallbackTests.this.heard.add("idle");
			}
		};
	}

}
