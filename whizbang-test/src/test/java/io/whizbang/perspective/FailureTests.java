package io.whizbang.perspective;

import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.event.ExpectedVersion;
import io.whizbang.event.StoredEvent;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetterSummary;
import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.letter.LetterListener;
import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.PerspectiveFixture.Closed;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.TransientDataAccessResourceException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A stream that fails stops alone, says so, and goes on by itself.
 */
@PostgresTest
class FailureTests {

	private static final Operator ADA = Operator.named("ada").noting("it was broken");

	private final PerspectiveFixture fixture;

	FailureTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void aFailingStreamBlocksOnlyItselfAndGoesOnByItself() {
		AtomicBoolean broken = new AtomicBoolean(true);
		this.fixture.start(new RecordingPerspective("p").before((event, run) -> {
			if (broken.get() && event.stream().key().equals("bad") && event.version() == 2) {
				throw new IllegalStateException("bad event");
			}
		}), new RecordingPerspective("other"));
		this.fixture.append("bad", 3);
		this.fixture.append("good", 3);
		this.fixture.awaitApplied("other", 6);
		Await.until("good events and the first bad one", () -> this.fixture.applied("p").size() == 4);
		Await.until("the failure", () -> this.fixture.status("bad") == 1);
		this.fixture.append("bad", 1);
		this.fixture.append("good", 1);
		this.fixture.awaitApplied("p", 5);
		Map<String, Object> checkpoint = this.fixture.checkpoint("bad");
		assertThat(checkpoint.get("version")).isEqualTo(1L);
		assertThat((String) checkpoint.get("error")).contains("bad event");
		assertThat((Integer) checkpoint.get("attempts")).isPositive();
		assertThat(checkpoint.get("failed_at")).isNotNull();
		broken.set(false);
		this.fixture.awaitApplied("p", 8);
		Await.until("the stream follows", () -> this.fixture.status("bad") == 0);
		assertThat(this.fixture.checkpoint("bad")).containsEntry("error", null).containsEntry("attempts", 0);
		this.fixture.append("bad", 2);
		this.fixture.awaitApplied("p", 10);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	@Test
	void aStreamThatFailsTooOftenBecomesADeadLetterAndIsReplayedFromThere() {
		AtomicBoolean broken = new AtomicBoolean(true);
		List<String> heard = new CopyOnWriteArrayList<>();
		PerspectiveInstance instance = this.fixture
			.prepare((parts) -> parts.with(parts.settings().withRetry(parts.settings().retry().withMaxAttempts(3)))
				.with(new PerspectiveListener() {
					@Override
					public void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable ex) {
						heard.add("failed " + attempts);
					}

					@Override
					public void dead(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable ex) {
						heard.add("dead " + attempts);
					}
				}), failing(broken, "bad", 1));
		instance.worker.start();
		this.fixture.append("bad", 3);
		this.fixture.append("good", 1);
		Await.until("the death and its news", () -> heard.contains("dead 3"));
		assertThat(this.fixture.status("bad")).isEqualTo(2);
		assertThat(heard).containsExactly("failed 1", "failed 2", "dead 3");
		JdbcDeadLetters letters = new JdbcDeadLetters(this.fixture.database.dataSource(), PerspectiveFixture.SCHEMA,
				WorkSignal.NONE, LetterListener.NONE);
		List<DeadLetterSummary> found = letters.list(DeadLetterFilter.ALL, null, 10).letters();
		assertThat(found).singleElement().satisfies((letter) -> {
			assertThat(letter.queue()).isEqualTo(Queue.PERSPECTIVES);
			assertThat(letter.source()).isEqualTo("perspective");
			assertThat(letter.topic()).isEqualTo("p");
			assertThat(letter.type()).isEqualTo("noted");
			assertThat(letter.reason()).isEqualTo(RetryPolicy.MAX_ATTEMPTS);
			assertThat(letter.attempts()).isEqualTo(3);
			assertThat(letter.stream()).isEqualTo(StreamId.of("bad"));
		});
		assertThat(instance.perspectives.status("p").get(0).dead()).isEqualTo(1);
		assertThat(instance.perspectives.stopped("p", null, 10)).singleElement()
			.satisfies((stopped) -> assertThat(stopped.dead()).isTrue());
		broken.set(false);
		assertThat(letters.replay(found.get(0).id(), ADA).count()).isEqualTo(1);
		this.fixture.awaitApplied("p", 4);
		Await.until("the stream follows", () -> this.fixture.status("bad") == 0);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(letters.list(DeadLetterFilter.ALL, null, 10).letters()).isEmpty();
	}

	@Test
	void anOperatorRetriesOrSkipsAStreamThatIsDead() {
		AtomicBoolean broken = new AtomicBoolean(true);
		PerspectiveInstance instance = this.fixture.start(
				PerspectiveFixture.SETTINGS.withRetry(PerspectiveFixture.SETTINGS.retry().withMaxAttempts(1)),
				failing(broken, "bad", 2));
		Perspectives perspectives = instance.perspectives;
		this.fixture.append("bad", 3);
		Await.until("the death", () -> this.fixture.status("bad") == 2);
		assertThat(perspectives.retry("p", StreamId.of("bad"), ADA)).isTrue();
		Await.until("another death", () -> this.fixture.count("select count(*) from whizbang.wh_dead_letter_audit") == 1
				&& this.fixture.status("bad") == 2);
		assertThat(perspectives.skip("p", StreamId.of("bad"), 3, ADA)).as("not where it stands").isFalse();
		assertThat(perspectives.skip("p", StreamId.of("bad"), 2, ADA)).isTrue();
		this.fixture.awaitApplied("p", 2);
		Await.until("the stream follows", () -> this.fixture.status("bad") == 0);
		assertThat(this.fixture.applied("p")).containsExactly("bad/1", "bad/3");
		assertThat(String.valueOf(this.fixture.checkpoint("bad").get("skipped"))).contains("ada", "it was broken",
				"bad event");
		assertThat(this.fixture.count("select count(*) from whizbang.wh_dead_letters")).isZero();
	}

	@Test
	void aGapIsAnErrorAndNotSilent() {
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		this.fixture.append("A", 2);
		PerspectiveInstance first = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 2);
		first.close();
		// As if the feed had lost one, and the store had not: it heals, but people hear
		// of it.
		this.fixture.jdbc.update("update whizbang.wh_perspective_checkpoints set version = 1");
		this.fixture.jdbc.update("delete from applied where version = 2");
		PerspectiveInstance second = this.fixture.prepare((parts) -> parts.with(listener(failures)),
				new RecordingPerspective("p"));
		this.fixture.append("A", 1);
		second.worker.start();
		this.fixture.awaitApplied("p", 3);
		assertThat(failures).singleElement().isInstanceOf(PerspectiveOrderException.class);
		assertThat(failures.get(0)).hasMessageContaining("gap").hasMessageContaining("A");
		assertThat(this.fixture.applied("p")).containsExactly("A/1", "A/2", "A/3");
	}

	@Test
	void aGapInTheStoreItselfIsNeverPassed() {
		this.fixture.append("A", 3);
		this.fixture.append("B", 1);
		this.fixture.jdbc.update("delete from whizbang.wh_events where stream_id = ? and version = 2",
				StreamId.of("A").value());
		this.fixture.start(
				PerspectiveFixture.SETTINGS.withRetry(PerspectiveFixture.SETTINGS.retry().withMaxAttempts(3)),
				new RecordingPerspective("p"));
		Await.until("the death", () -> this.fixture.status("A") == 2);
		this.fixture.awaitApplied("p", 2);
		assertThat(this.fixture.applied("p")).containsExactlyInAnyOrder("A/1", "B/1");
		assertThat((String) this.fixture.checkpoint("A").get("error")).contains("gap");
	}

	@Test
	void aRepetitionIsAnErrorAndNothingIsAppliedTwice() {
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		this.fixture.append("A", 2);
		PerspectiveInstance first = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 2);
		first.close();
		this.fixture.jdbc
			.update("update whizbang.wh_perspective_shards set base_snapshot = '1:1:', base_low = 0, base_high = 0");
		PerspectiveInstance second = this.fixture.prepare((parts) -> parts.with(listener(failures)),
				new RecordingPerspective("p"));
		second.worker.start();
		Await.until("the failure", () -> !failures.isEmpty());
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("p", 3);
		assertThat(failures).singleElement().isInstanceOf(PerspectiveOrderException.class);
		assertThat(failures.get(0)).hasMessageContaining("repetition");
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	@Test
	void aStreamWhoseFirstEventsWereMissedIsAnErrorAndBeginsAnew() {
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		this.fixture.append("A", 2);
		PerspectiveInstance first = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 2);
		first.close();
		this.fixture.jdbc.update("delete from whizbang.wh_perspective_checkpoints");
		this.fixture.jdbc.update("delete from applied");
		PerspectiveInstance second = this.fixture.prepare((parts) -> parts.with(listener(failures)),
				new RecordingPerspective("p"));
		this.fixture.append("A", 1);
		second.worker.start();
		this.fixture.awaitApplied("p", 3);
		assertThat(failures).singleElement().isInstanceOf(PerspectiveOrderException.class);
		assertThat(this.fixture.applied("p")).containsExactly("A/1", "A/2", "A/3");
	}

	@Test
	void aFirstEventThatWasMissedIsAnErrorAlsoWhenNobodyHasSeenItsTypeYet() {
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		missClosedOf("A");
		this.fixture.append("A", 1);
		start(failures, new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 3);
		assertThat(failures).singleElement().isInstanceOf(PerspectiveOrderException.class);
		assertThat(failures.get(0)).hasMessageContaining("gap").hasMessageContaining("A");
		assertThat(this.fixture.applied("p")).containsExactly("B/1", "A/1", "A/2");
	}

	@Test
	void earlierEventsOfATypeThatNobodyHasSeenYetAreNoGapWhenTheyAreNotWanted() {
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		missClosedOf("A");
		missClosedOf("C");
		this.fixture.append("A", 1);
		this.fixture.append("C", 1);
		start(failures, new RecordingPerspective("p").wanting(PerspectiveFixture.only("noted")));
		this.fixture.awaitApplied("p", 3);
		assertThat(failures).isEmpty();
		assertThat(this.fixture.applied("p")).containsExactly("B/1", "A/2", "C/2");
		assertThat(this.fixture.jdbc
			.queryForList("select event_type || ' ' || interested from whizbang.wh_perspective_mappings", String.class))
			.containsExactlyInAnyOrder("noted true", "closed false");
	}

	/** As if the feed had lost the first event of a stream, which no other one has. */
	private void missClosedOf(String stream) {
		if (this.fixture.events() == 0) {
			this.fixture.append("B", 1);
			PerspectiveInstance first = this.fixture.start(new RecordingPerspective("p"));
			this.fixture.awaitApplied("p", 1);
			first.close();
		}
		this.fixture.store.append(stream, ExpectedVersion.none(), new Closed("lost"));
		this.fixture.jdbc.update("""
				update whizbang.wh_perspective_shards set base_snapshot = pg_current_snapshot(),
				    base_low = whizbang.last_position(), base_high = whizbang.last_position()""");
	}

	private void start(List<Throwable> failures, RecordingPerspective perspective) {
		this.fixture.prepare((parts) -> parts.with(listener(failures)), perspective).worker.start();
	}

	@Test
	void anEventThatNobodyCanReadStopsItsStreamOnly() {
		this.fixture.append("A", 1);
		this.fixture.jdbc.update("update whizbang.wh_events set event_type = 'forgotten'");
		this.fixture.append("B", 1);
		this.fixture.jdbc.update("update whizbang.wh_events set payload = '[broken' where stream_id = ?",
				StreamId.of("B").value());
		this.fixture.append("C", 1);
		this.fixture.start(
				PerspectiveFixture.SETTINGS.withRetry(PerspectiveFixture.SETTINGS.retry().withMaxAttempts(2)),
				new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 1);
		Await.until("both are dead", () -> this.fixture.status("A") == 2 && this.fixture.status("B") == 2);
		assertThat((String) this.fixture.checkpoint("A").get("error")).contains("forgotten");
		assertThat(this.fixture.applied("p")).containsExactly("C/1");
	}

	@Test
	void aFailureThatCodeSwallowsIsBlamedOnTheRightEvent() {
		RecordingPerspective handler = new RecordingPerspective("p");
		handler.before((event, run) -> {
			if (event.stream().key().equals("bad")) {
				try {
					handler.jdbc().update("insert into no_such_table values (1)");
				}
				catch (RuntimeException ex) {
					// The transaction is spoilt for everybody behind.
				}
			}
		});
		this.fixture.append("a", 2);
		this.fixture.append("bad", 1);
		for (int i = 0; i < 20; i++) {
			this.fixture.append("z-" + i, 1);
		}
		this.fixture.start(handler);
		this.fixture.awaitApplied("p", 22);
		Await.until("the failure", () -> this.fixture.status("bad") == 1);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_checkpoints where status <> 0"))
			.isEqualTo(1);
		assertThat(this.fixture.applied("p")).doesNotContain("bad/1").doesNotHaveDuplicates();
	}

	@Test
	void aFailureAtTheCommitIsBlamedOnTheRightEvent() {
		this.fixture.jdbc.execute("drop table if exists late_check");
		this.fixture.jdbc.execute(
				"""
						create table late_check (stream text, constraint once unique (stream) deferrable initially deferred)""");
		RecordingPerspective handler = new RecordingPerspective("p");
		handler
			.before((event, run) -> handler.jdbc().update("insert into late_check values (?)", event.stream().key()));
		for (int i = 0; i < 10; i++) {
			this.fixture.append("good-" + i, 1);
		}
		this.fixture.append("bad", 2);
		this.fixture.start(handler);
		this.fixture.awaitApplied("p", 11);
		Await.until("the failure", () -> this.fixture.status("bad") == 1);
		assertThat(this.fixture.applied("p")).contains("bad/1").doesNotContain("bad/2").hasSize(11);
	}

	@Test
	void whatPassesByItselfIsNobodysFault() {
		AtomicInteger calls = new AtomicInteger();
		this.fixture.start(new RecordingPerspective("p").before((event, run) -> {
			if (calls.incrementAndGet() <= 2) {
				throw new TransientDataAccessResourceException("busy");
			}
		}));
		this.fixture.append("A", 2);
		this.fixture.awaitApplied("p", 2);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_checkpoints where status <> 0"))
			.isZero();
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	@Test
	void codeThatAppliesManyAtOnceIsBlamedForTheRightOne() {
		Set<Integer> sizes = ConcurrentHashMap.newKeySet();
		RecordingPerspective handler = new RecordingPerspective("p") {
			@Override
			public void applyAll(List<StoredEvent> events, PerspectiveRun run) {
				sizes.add(events.size());
				if (events.stream().anyMatch((event) -> event.stream().key().equals("bad"))) {
					throw new IllegalStateException("one of many");
				}
				events.forEach((event) -> write(event, run));
			}
		};
		for (int i = 0; i < 40; i++) {
			this.fixture.append((i == 23) ? "bad" : "good-" + i, 1);
		}
		this.fixture.start(handler);
		this.fixture.awaitApplied("p", 39);
		Await.until("the failure", () -> this.fixture.status("bad") == 1);
		assertThat(sizes).contains(40, 20, 1);
		assertThat(this.fixture.applied("p")).doesNotHaveDuplicates();
	}

	@Test
	void whatFailsForGoodIsNotTriedAgain() {
		this.fixture.start(new RecordingPerspective("p").before((event, run) -> {
			throw new io.whizbang.work.PermanentFailureException("never");
		}));
		this.fixture.append("A", 1);
		Await.until("the death", () -> this.fixture.status("A") == 2);
		assertThat(this.fixture.checkpoint("A")).containsEntry("attempts", 1);
	}

	@Test
	void aCommitWhoseAnswerIsLostForgetsNothingAndRepeatsNothing() {
		AtomicInteger cuts = new AtomicInteger();
		RecordingPerspective handler = new RecordingPerspective("p");
		handler.before((event, run) -> {
			if (cuts.incrementAndGet() % 7 == 3) {
				handler.jdbc().execute((Connection connection) -> {
					connection.createStatement().execute("select pg_terminate_backend(pg_backend_pid())");
					return true;
				});
			}
		});
		for (int i = 0; i < 10; i++) {
			this.fixture.append("s-" + i, 2);
		}
		this.fixture.start(PerspectiveFixture.SETTINGS.withPages(4, 4), handler);
		this.fixture.awaitApplied("p", 20);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_checkpoints where status <> 0"))
			.isZero();
	}

	private static RecordingPerspective failing(AtomicBoolean broken, String stream, long version) {
		return new RecordingPerspective("p").before((event, run) -> {
			if (broken.get() && event.stream().key().equals(stream) && event.version() == version) {
				throw new IllegalStateException("bad event");
			}
		});
	}

	private static PerspectiveListener listener(List<Throwable> failures) {
		return new PerspectiveListener() {
			@Override
			public void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
				failures.add(failure);
			}
		};
	}

}
