package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.whizbang.lease.Lease;
import io.whizbang.lease.LeaseOptions;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Coordinators that come and go.
 */
@PostgresTest
class FanoutTakeoverTests {

	private static final int SHARDS = 10_000;

	private static final FanoutSettings SETTINGS = FanoutFixture.SETTINGS.withLease(Duration.ofSeconds(1));

	private static final FanoutSchedule SCHEDULE = FanoutSchedule.defaults()
		.withInterval(Duration.ofHours(1))
		.withPolicy(Duration.ofHours(1), Duration.ZERO);

	/** Asked when told to; a slice is due when the one before is completed. */
	private static final FanoutSchedule ALWAYS = SCHEDULE.withPolicy(Duration.ZERO, Duration.ZERO);

	private final PostgresDatabase database;

	private FanoutFixture fixture;

	FanoutTakeoverTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new FanoutFixture(this.database);
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Test
	void anotherInstanceGoesOnWhereAKilledCoordinatorWas() throws InterruptedException {
		takeOver("first", "second", 1);
		// The windows of the next run begin where those of this one end.
		int completed = this.fixture.jdbc.update("""
				update whizbang.wh_fanout_cursors set completed_until = planned_until, planned_until = null,
				    completed_at = clock_timestamp()""");
		assertThat(completed).isEqualTo(SHARDS);
		takeOver("third", "fourth", 2);
		assertThat(this.fixture
			.count("""
					select count(*) from (
					    select from whizbang.wh_outbox m
					    group by m.payload::json ->> 'shardKey'
					    having count(*) = 2 and min(m.payload::json ->> 'windowEnd') = max(m.payload::json ->> 'windowStart')) s"""))
			.isEqualTo(SHARDS);
	}

	/** Has a coordinator killed in the middle of a run, and another one end it. */
	private void takeOver(String killed, String next, int windows) throws InterruptedException {
		CountDownLatch middle = new CountDownLatch(1);
		CountDownLatch gone = new CountDownLatch(1);
		FanoutInstance first = this.fixture.prepare(killed, SETTINGS,
				FanoutFixture.planner("etl", ALWAYS, () -> candidates(() -> {
					middle.countDown();
					await(gone);
				})));
		FanoutInstance second = this.fixture.prepare(next, SETTINGS,
				FanoutFixture.planner("etl", ALWAYS, FanoutFixture.shards(SHARDS)));
		first.worker.start();
		if (windows > 1) {
			first.fanouts.runNow("etl");
		}
		middle.await();
		second.worker.start();
		int planned = this.fixture.count("select count(*) from whizbang.wh_outbox") - (windows - 1) * SHARDS;
		assertThat(planned).isBetween(1, SHARDS - 1);
		first.cutOff();
		gone.countDown();
		Await.until("the second instance has run it", () -> second.heard.ran.contains("etl"));
		second.worker.stop();
		assertThat(first.heard.ran).isEmpty();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox")).isEqualTo(windows * SHARDS);
		assertThat(this.fixture.count("select count(distinct message_id) from whizbang.wh_outbox"))
			.isEqualTo(windows * SHARDS);
		assertThat(this.fixture.count("""
				select count(*) from whizbang.wh_fanout_cursors c join whizbang.wh_outbox m on m.message_id =
				    whizbang.fanout_slice_id(c.topic, c.work_key, c.shard_key, c.completed_until)
				where c.planned_until = (m.payload::json ->> 'windowEnd')::timestamptz and c.plans = 1"""))
			.isEqualTo(SHARDS);
		assertThat(second.fanouts.find("etl").orElseThrow().planned()).isEqualTo(SHARDS - planned);
	}

	private static Stream<FanoutCandidate> candidates(Runnable inTheMiddle) {
		return IntStream.range(0, SHARDS).mapToObj((i) -> {
			if (i == SHARDS / 2) {
				inTheMiddle.run();
			}
			return new FanoutCandidate("shard-" + i, "work");
		});
	}

	@Test
	void respectsALeaseThatIsHeldAndGoesOnWhenItHasExpired() {
		FanoutInstance other = this.fixture.prepare("other", SETTINGS);
		FanoutInstance app = this.fixture.prepare("app", SETTINGS,
				FanoutFixture.planner("etl", SCHEDULE, FanoutFixture.shards(3)));
		Instant acquired = this.fixture.clock.now();
		this.fixture.clock.reset();
		Lease held = other.leases.tryAcquire("fanout:etl", LeaseOptions.lasting(Duration.ofSeconds(1)).withoutRenewal())
			.orElseThrow();
		app.worker.start();
		Await.until("the planner is asked", () -> app.heard.ran.contains("etl"));
		assertThat(acquired).isNotNull();
		assertThat(this.fixture.count("""
				select count(*) from whizbang.wh_fanout_topics t join whizbang.wh_fanout_cursors c using (topic)
				where t.token > ? and c.planned_at >= t.created_at""", held.token())).isEqualTo(3);
		assertThat(held.isHeld()).as("it was not asked while somebody held the lease").isFalse();
	}

	@Test
	void aCoordinatorThatWokeUpTooLatePlansNothing() {
		FanoutInstance app = this.fixture.manual(FanoutFixture.shards("etl", "t1", "t2"));
		app.run();
		Lease late = app.leases.tryAcquire("late", Duration.ofMinutes(1)).orElseThrow();
		Lease next = app.leases.tryAcquire("next", Duration.ofMinutes(1)).orElseThrow();
		this.fixture.clock.advance(Duration.ofMinutes(10));
		DueTopic due = app.store.due(app.parts.planners().topics()).get(0);
		assertThat(app.store.begin(due, late.token())).isTrue();
		assertThat(app.store.begin(due, next.token())).isTrue();
		FanoutPages pages = new FanoutPages(app.parts, "etl", due.time(), late,
				new RunJoin(app.parts, "etl", due.time()));
		pages.add(new FanoutCandidate("t3", "work"));
		org.assertj.core.api.Assertions.assertThatExceptionOfType(FanoutLostException.class).isThrownBy(pages::end);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_fanout_cursors where shard_key = 't3'"))
			.isZero();
		assertThat(app.store.end(due, late.token(), due.time(), due.time().plusSeconds(1), new FanoutCount(0, 0, null)))
			.isFalse();
		assertThat(app.store.begin(due, late.token())).isFalse();
		late.close();
		next.close();
	}

	@Test
	void twoInstancesPlanEverySliceOnceInEveryWindow() {
		FanoutSchedule often = SCHEDULE.withInterval(Duration.ofMillis(300)).withPolicy(Duration.ZERO, Duration.ZERO);
		FanoutInstance first = this.fixture.prepare("first", SETTINGS,
				FanoutFixture.planner("etl", often, FanoutFixture.shards(50)));
		FanoutInstance second = this.fixture.prepare("second", SETTINGS,
				FanoutFixture.planner("etl", often, FanoutFixture.shards(50)));
		first.worker.start();
		second.worker.start();
		for (int i = 1; i <= 3; i++) {
			int windows = i;
			Await.until("every shard has its slice",
					() -> this.fixture.count("select count(*) from whizbang.wh_outbox") >= 50 * windows);
			assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox")).isEqualTo(50 * windows);
			this.fixture.cursors(first, "etl").forEach((cursor) -> {
				Instant until = cursor.plannedUntil();
				assertThat(until).isNotNull();
				assertThat(first.fanouts.complete(
						new FanoutSlice("etl", cursor.workKey(), cursor.shardKey(), cursor.completedUntil(), until)))
					.isTrue();
			});
		}
	}

	@Test
	void goesOnWhenTheDatabaseIsBack() {
		FanoutInstance app = this.fixture.prepare("app", SETTINGS,
				FanoutFixture.planner("etl",
						SCHEDULE.withInterval(Duration.ofMillis(200)).withPolicy(Duration.ZERO, Duration.ZERO),
						FanoutFixture.shards(3)));
		app.worker.start();
		Await.until("it runs", () -> !app.heard.ran.isEmpty());
		this.fixture.database.terminateBackends();
		int before = app.heard.ran.size();
		Await.until("it runs again", () -> app.heard.ran.size() > before + 1);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
