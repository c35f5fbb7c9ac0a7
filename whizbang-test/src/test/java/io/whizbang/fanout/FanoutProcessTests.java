package io.whizbang.fanout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.whizbang.process.ChildProcess;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes handle the slices of a fan-out, and the one that plans them is killed in
 * the middle of its run and of a slice: the other one goes on, and each slice of each
 * window is handled once, by what the handlers themselves have written (G2, G6).
 * <p>
 * {@code -Dwhizbang.fanout.shards=10000} for many.
 */
@PostgresTest
class FanoutProcessTests {

	private static final int SHARDS = Integer.getInteger("whizbang.fanout.shards", 400);

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final PostgresDatabase database;

	private final List<ChildProcess> processes = new ArrayList<>();

	private FanoutFixture fixture;

	private FanoutInstance here;

	FanoutProcessTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new FanoutFixture(this.database);
		this.fixture.jdbc.execute("""
				drop table if exists done;
				create table done (shard text, since timestamptz, until timestamptz, process text)""");
		this.here = this.fixture.prepare("here", FanoutFixture.SETTINGS);
	}

	@AfterEach
	void tearDown() throws InterruptedException {
		for (ChildProcess process : this.processes) {
			process.kill();
		}
		this.fixture.close();
	}

	@Test
	void everySliceOfEveryWindowIsHandledOnceWhenTheCoordinatorIsKilled() throws InterruptedException {
		ChildProcess doomed = start(FanoutProcess.DOOMED);
		ChildProcess other = start("other");
		Await.until(() -> "both to be there", PATIENCE,
				() -> count("whizbang.wh_epoch where queue = 1 and cardinality(members) = 2") == 1);
		doomed.tell("plan");
		assertThat(List.of(doomed.answer(), doomed.answer())).containsExactlyInAnyOrder("in the middle", "at a slice");
		other.tell("plan");
		assertThat(count("whizbang.wh_fanout_cursors")).isEqualTo(SHARDS / 2);
		doomed.kill();
		awaitWindows(1);
		assertThat(this.here.fanouts.find("etl").orElseThrow().planned()).isEqualTo(SHARDS - SHARDS / 2);
		this.here.fanouts.runNow("etl");
		awaitWindows(2);
		assertThat(count("(select from done group by shard having min(until) = max(since)) s")).isEqualTo(SHARDS);
	}

	private ChildProcess start(String name) {
		ChildProcess process = ChildProcess.start(FanoutProcess.class, this.database, name, String.valueOf(SHARDS));
		this.processes.add(process);
		return process;
	}

	private void awaitWindows(int windows) {
		Await.until(() -> "each slice of window %d; %d are handled".formatted(windows, count("done")), PATIENCE,
				() -> count("whizbang.wh_fanout_cursors where completed_until is not null and planned_until is null "
						+ "and exists (select from done where shard = shard_key and until = completed_until "
						+ "having count(*) > 0)") == SHARDS
						&& count("(select distinct shard, until from done) d") == windows * SHARDS
						&& count("whizbang.wh_messages") == 0);
		assertThat(count("done")).as("handled").isEqualTo(windows * SHARDS);
		assertThat(count("(select from done group by until having count(*) = %d) d".formatted(SHARDS)))
			.isEqualTo(windows);
		assertThat(count("whizbang.wh_fanout_cursors where completed_until = (select max(until) from done)"))
			.isEqualTo(SHARDS);
		assertThat(count("whizbang.wh_dead_letters")).isZero();
	}

	private int count(String what) {
		return this.fixture.count("select count(*) from " + what);
	}

}
