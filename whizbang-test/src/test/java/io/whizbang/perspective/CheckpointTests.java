package io.whizbang.perspective;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.event.Appended;
import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A checkpoint tells all about its stream, and the database's word about it counts.
 */
@PostgresTest
class CheckpointTests {

	private final PerspectiveFixture fixture;

	CheckpointTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void tellsTheLastEventItsVersionWhatFailedAndWhen() {
		AtomicBoolean broken = new AtomicBoolean(true);
		this.fixture.start(new RecordingPerspective("p").before((event, run) -> {
			if (broken.get() && event.version() == 3) {
				throw new IllegalStateException("bad event");
			}
		}));
		this.fixture.append("A", 2);
		this.fixture.awaitApplied("p", 2);
		Map<String, Object> follows = this.fixture.checkpoint("A");
		assertStandsAt(follows, 2);
		assertThat(follows).containsEntry("status", 0)
			.containsEntry("attempts", 0)
			.containsEntry("error", null)
			.containsEntry("failed_at", null)
			.containsEntry("next_attempt_at", null);
		this.fixture.append("A", 1);
		Await.until("three attempts", () -> (Integer) this.fixture.checkpoint("A").get("attempts") >= 3);
		Map<String, Object> failed = this.fixture.checkpoint("A");
		assertStandsAt(failed, 2);
		assertThat(failed).containsEntry("status", 1).containsEntry("created_at", follows.get("created_at"));
		assertThat((String) failed.get("error")).contains("bad event");
		assertThat(failed.get("next_attempt_at")).isNotNull();
		assertThat(failed.get("failed_at")).isNotNull();
		broken.set(false);
		this.fixture.awaitApplied("p", 3);
		Await.until("it follows", () -> this.fixture.status("A") == 0);
		Map<String, Object> cleared = this.fixture.checkpoint("A");
		assertStandsAt(cleared, 3);
		assertThat(cleared).containsEntry("attempts", 0)
			.containsEntry("error", null)
			.containsEntry("next_attempt_at", null)
			.containsEntry("created_at", follows.get("created_at"));
		assertThat(this.fixture.count("""
				select count(*) from whizbang.wh_perspective_checkpoints
				where created_at < updated_at and updated_at <= clock_timestamp()""")).isEqualTo(1);
	}

	@Test
	void staysWhenAllIsDoneAndGoesOnWithTheNextEvent() {
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.append("A", 2);
		this.fixture.awaitApplied("p", 2);
		this.fixture.awaitDone(instance, "p");
		instance.worker.stop();
		Map<String, Object> done = this.fixture.checkpoint("A");
		assertStandsAt(done, 2);
		assertThat(done).containsEntry("status", 0);
		this.fixture.append("A", 1);
		instance.worker.start();
		this.fixture.awaitApplied("p", 3);
		assertThat(this.fixture.checkpoint("A")).containsEntry("created_at", done.get("created_at"))
			.containsEntry("version", 3L);
	}

	@Test
	void beginsWithWhatIsAppliedAndNotInTheTransactionThatAppends() {
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		Await.until("it holds all", () -> instance.worker.shards() == 16);
		instance.worker.stop();
		this.fixture.append("A", 2);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_checkpoints")).isZero();
		assertThat(this.fixture.jdbc.queryForList("""
				select t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
				where c.relnamespace = 'whizbang'::regnamespace and not t.tgisinternal
				  and c.relname in ('wh_events', 'wh_streams')""", String.class)).as("triggers").isEmpty();
		instance.worker.start();
		this.fixture.awaitApplied("p", 2);
		assertThat(this.fixture.checkpoint("A")).containsEntry("version", 2L);
	}

	private void assertStandsAt(Map<String, Object> checkpoint, long version) {
		Map<String, Object> event = this.fixture.jdbc.queryForMap(
				"select event_id, position from whizbang.wh_events where stream_id = ? and version = ?",
				StreamId.of("A").value(), version);
		assertThat(checkpoint).containsEntry("version", version).containsAllEntriesOf(event);
	}

	@Test
	void aConnectionThatIsCutBehindTheCommitAppliesNothingTwice() {
		AtomicInteger commits = new AtomicInteger();
		AtomicInteger calls = new AtomicInteger();
		AtomicInteger cuts = new AtomicInteger();
		PerspectiveInstance instance = this.fixture
			.prepare((parts) -> new HookedDataSource(parts.dataSource()).afterCommit((connection) -> {
				if (Thread.currentThread().getName().equals("lane") && commits.incrementAndGet() % 2 == 1) {
					cuts.incrementAndGet();
					connection.abort(Runnable::run);
					throw new SQLException("Connection reset", "08006");
				}
			}).under(parts.with(parts.settings().withPages(4, 4))),
					new RecordingPerspective("p").before((event, run) -> calls.incrementAndGet()));
		for (int i = 0; i < 10; i++) {
			this.fixture.append("s-" + i, 2);
		}
		instance.worker.start();
		this.fixture.awaitApplied("p", 20);
		this.fixture.awaitDone(instance, "p");
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(cuts).as("commits whose answer was lost").hasPositiveValue();
		assertThat(calls).as("what the database knows is not applied again").hasValue(20);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_perspective_checkpoints where status <> 0"))
			.as("nobody's fault")
			.isZero();
	}

	@Test
	void aStreamThatFailsInAGlobalPerspectiveLosesNothingAndKeepsItsOrder() {
		AtomicBoolean broken = new AtomicBoolean(true);
		for (int instance = 0; instance < 2; instance++) {
			this.fixture.start(new RecordingPerspective("p").asGlobal().before((event, run) -> {
				if (broken.get() && event.stream().key().equals("bad") && event.version() == 2) {
					throw new IllegalStateException("bad event");
				}
			}));
		}
		for (int i = 0; i < 10; i++) {
			this.fixture.append("bad", 1);
			this.fixture.append("good-" + i % 3, 1);
		}
		this.fixture.awaitApplied("p", 11);
		Await.until("the failure", () -> this.fixture.status("bad") == 1);
		assertThat(this.fixture.applied("p")).filteredOn((event) -> event.startsWith("bad")).containsExactly("bad/1");
		assertThat(positions("stream <> 'bad'")).as("the others, in one order").hasSize(10).isSorted();
		broken.set(false);
		this.fixture.awaitApplied("p", 20);
		Await.until("it follows", () -> this.fixture.status("bad") == 0);
		Appended last = this.fixture.append("bad", 2);
		this.fixture.awaitApplied("p", 22);
		assertThat(last.lastVersion()).isEqualTo(12);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(positions("stream = 'bad'")).hasSize(12).isSorted();
	}

	private List<Long> positions(String where) {
		return this.fixture.jdbc.queryForList("select position from applied where " + where + " order by id",
				Long.class);
	}

}
