package io.whizbang.perspective;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Somebody changes a checkpoint after a page has found it and before the page has moved
 * it.
 */
@PostgresTest
@ExtendWith(OutputCaptureExtension.class)
class CheckpointRaceTests {

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	CheckpointRaceTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void aStreamThatIsStoppedMeanwhileIsNotMovedByThePage(CapturedOutput output) throws Exception {
		race("update whizbang.wh_perspective_checkpoints set status = 1, next_attempt_at = clock_timestamp()", output);
	}

	@Test
	void aStreamThatIsMovedMeanwhileIsNotMovedByThePage(CapturedOutput output) throws Exception {
		race("""
				with moved as (update whizbang.wh_perspective_checkpoints set version = 2 returning 1)
				insert into applied (name, run, stream, version) select 'p', 1, 'A', 2 from moved""", output);
	}

	@Test
	void aStreamThatBeginsMeanwhileIsNotBegunByThePage(CapturedOutput output) throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		start(1, inside, go);
		this.fixture.append("A", 1);
		inside.await();
		meanwhile("""
				insert into whizbang.wh_perspective_checkpoints
				    (run_id, stream_id, version, status, next_attempt_at, created_at, updated_at)
				select run_id, '%s', 0, 1, now(), now(), now() from whizbang.wh_perspectives"""
			.formatted(StreamId.of("A").value()), go);
		assertAppliedOnce(1, output);
	}

	private void race(String change, CapturedOutput output) throws Exception {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		start(2, inside, go);
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("p", 1);
		this.fixture.append("A", 1);
		inside.await();
		meanwhile(change, go);
		assertAppliedOnce(2, output);
	}

	/** Lets the page wait before an event, once. */
	private void start(long version, CountDownLatch inside, CountDownLatch go) {
		this.fixture.start(new RecordingPerspective("p").before((event, run) -> {
			if (event.version() == version) {
				inside.countDown();
				go.await();
			}
		}));
	}

	/**
	 * Commits a change when the page has found the checkpoint as it was, and waits for
	 * who holds it.
	 */
	private void meanwhile(String change, CountDownLatch go) throws SQLException {
		try (Connection connection = this.database.unpooledDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute(change);
			int session;
			try (ResultSet rows = statement.executeQuery("select pg_backend_pid()")) {
				rows.next();
				session = rows.getInt(1);
			}
			go.countDown();
			Await.until("the page waits for the change", () -> this.fixture.count("""
					select count(*) from pg_stat_activity
					where ? = any (pg_blocking_pids(pid)) and query like '%commit_perspective_page%'""", session) == 1);
			connection.commit();
		}
	}

	private void assertAppliedOnce(long version, CapturedOutput output) {
		Await.until(() -> "the stream follows; " + this.fixture.standing(),
				() -> this.fixture.status("A") == 0 && this.fixture.checkpoint("A").get("version").equals(version));
		this.fixture.append("A", 1);
		this.fixture.awaitApplied("p", version + 1);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(output).containsOnlyOnce("A checkpoint of PerspectiveRun[name=p, version=1, run=1] was changed");
	}

}
