package io.whizbang.timer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import io.whizbang.process.ChildProcess;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes fire timers, and one of them is killed, or frozen, while thousands are
 * due: each fires once, by what the database itself notes, none early, and all are
 * delivered (G2, G8).
 */
@PostgresTest
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no SIGSTOP")
class TimerProcessTests {

	private static final int TIMERS = 4_000;

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final PostgresDatabase database;

	private final JdbcTemplate jdbc;

	private final Timers timers;

	private final Firings firings;

	private final Set<TimerId> scheduled = new HashSet<>();

	private final List<ChildProcess> processes = new ArrayList<>();

	TimerProcessTests(PostgresDatabase database) {
		this.database = database;
		this.jdbc = database.jdbc();
		TimerFixture.install(database);
		this.jdbc.execute("drop table if exists delivery; create table delivery (message_id uuid, instance text)");
		this.firings = Firings.watch(this.jdbc);
		this.timers = TimerFixture.timers(database.dataSource(), WorkSignal.NONE);
	}

	@BeforeEach
	void begin() {
		this.processes.add(ChildProcess.start(TimerProcess.class, this.database, "doomed"));
		this.processes.add(ChildProcess.start(TimerProcess.class, this.database, "other"));
		awaitMembers(2);
		schedule(TIMERS);
		Await.until("the first to deliver some", () -> count("delivery where instance = 'doomed'") > TIMERS / 20);
	}

	@AfterEach
	void end() throws InterruptedException {
		for (ChildProcess process : this.processes) {
			process.kill();
		}
	}

	@Test
	void timersFireOnceWhenAProcessIsKilledInTheMiddle() throws Exception {
		this.processes.get(0).kill();
		assertThat(count("whizbang.wh_scheduled")).as("timers that are not due yet").isPositive();
		awaitAll();
		assertEachFiredOnce();
	}

	@Test
	void timersFireOnceWhenAProcessIsFrozenInTheMiddleAndWakes() throws Exception {
		this.processes.get(0).freeze();
		assertThat(count("whizbang.wh_scheduled")).as("timers that are not due yet").isPositive();
		awaitMembers(1);
		awaitAll();
		this.processes.get(0).wake();
		awaitMembers(2);
		schedule(TIMERS / 10);
		awaitAll();
		assertEachFiredOnce();
	}

	private void schedule(int count) {
		this.scheduled.addAll(this.timers.scheduleAll(IntStream.range(0, count)
			.mapToObj((i) -> NewTimer.to("test", i).after(Duration.ofMillis(i)).build())
			.toList()));
	}

	private void awaitMembers(int count) {
		Await.until(() -> count + " members", PATIENCE,
				() -> this.jdbc.queryForObject("select cardinality(members) from whizbang.wh_epoch where queue = 1",
						Integer.class) == count);
	}

	private void awaitAll() {
		Await.until(() -> "the rest of the timers", PATIENCE,
				() -> count("whizbang.wh_scheduled") + count("whizbang.wh_messages") == 0);
	}

	private void assertEachFiredOnce() {
		assertThat(this.firings.counts()).allSatisfy((id, times) -> assertThat(times).as("firings of %s", id).isOne());
		assertThat(this.firings.counts().keySet()).as("fired").isEqualTo(this.scheduled);
		assertThat(this.firings.early()).as("fired early").isZero();
		assertThat(new HashSet<>(this.jdbc.query("select message_id from delivery",
				(rows, number) -> TimerId.of(rows.getObject(1, UUID.class)))))
			.as("delivered")
			.isEqualTo(this.scheduled);
	}

	private int count(String what) {
		Integer count = this.jdbc.queryForObject("select count(*) from " + what, Integer.class);
		return (count != null) ? count : 0;
	}

}
