package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What becomes of slices.
 */
@PostgresTest
class FanoutHandlingTests {

	private static final Instant NOON = FanoutFixture.NOON;

	private final PostgresDatabase database;

	private FanoutFixture fixture;

	private FanoutInstance app;

	private Work work;

	FanoutHandlingTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new FanoutFixture(this.database);
		this.fixture.jdbc.execute("drop table if exists done; create table done (shard text, since timestamptz)");
		this.app = this.fixture.manual(FanoutFixture.shards("etl", "t1", "t2", "t3"));
		this.work = new Work(new JdbcTemplate(this.app.pool));
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Test
	void theCursorMovesWithWhatTheHandlerDoes() {
		this.app.run();
		this.app.deliver(this.work);
		assertThat(this.work.slices).extracting(FanoutSlice::shardKey).containsExactlyInAnyOrder("t1", "t2", "t3");
		assertThat(this.work.slices).allSatisfy((slice) -> {
			assertThat(slice.windowStart()).isNull();
			assertThat(slice.windowEnd()).isEqualTo(NOON);
		});
		assertThat(this.fixture.count("select count(*) from done")).isEqualTo(3);
		assertThat(cursors()).allSatisfy((cursor) -> {
			assertThat(cursor.completedUntil()).isEqualTo(NOON);
			assertThat(cursor.plannedUntil()).isNull();
		});
		assertThat(this.app.heard.completed).hasSize(3);
	}

	@Test
	void oneShardThatFailsHarmsNoOtherAndLeavesNothingButIsTriedAgain() {
		this.work.failing = "t2";
		this.app.run();
		List<ManualWorker.Ended> ended = this.app.deliver(this.work);
		assertThat(ended).filteredOn((one) -> one.outcome() instanceof Outcome.Retry).hasSize(1);
		assertThat(this.fixture.jdbc.queryForList("select shard from done order by shard", String.class))
			.containsExactly("t1", "t3");
		assertThat(cursor("t2").completedUntil()).isNull();
		assertThat(cursor("t2").plannedUntil()).isEqualTo(NOON);
		this.work.failing = "nobody";
		this.fixture.clock.advance(Duration.ofMinutes(1));
		assertThat(this.app.run()).as("the engine tries again, not the planner").isFalse();
		this.app.deliver(this.work);
		assertThat(cursor("t2").completedUntil()).isEqualTo(NOON);
	}

	@Test
	void aSliceThatComesAgainDoesNothing() {
		this.app.run();
		this.fixture.jdbc.execute("create table again as select * from whizbang.wh_outbox");
		this.app.deliver(this.work);
		this.fixture.jdbc.execute("""
				update again set seq = nextval('whizbang.wh_message_seq');
				insert into whizbang.wh_outbox select * from again;
				drop table again""");
		this.fixture.clock.advance(Duration.ofMinutes(10));
		this.app.run();
		assertThat(this.fixture.waiting()).hasSize(6);
		this.app.deliver(this.work);
		assertThat(this.app.heard.repeated).hasSize(3);
		assertThat(this.work.slices).hasSize(6);
		assertThat(cursors())
			.allSatisfy((cursor) -> assertThat(cursor.completedUntil()).isEqualTo(NOON.plus(Duration.ofMinutes(10))));
	}

	@Test
	void aSliceThatDiedIsPlannedAgainWhenItWouldBeDueWithTheSameStart() {
		this.work.failing = "t2";
		this.work.forGood = true;
		this.app.run();
		this.app.deliver(this.work);
		assertThat(this.fixture.count("select count(*) from whizbang.wh_dead_letters")).isEqualTo(1);
		this.fixture.clock.advance(Duration.ofMinutes(5));
		this.app.fanouts.runNow("etl");
		this.app.run();
		assertThat(this.fixture.waiting()).as("not before it would be due").isEmpty();
		this.fixture.clock.advance(Duration.ofMinutes(5));
		this.app.fanouts.runNow("etl");
		this.app.run();
		assertThat(this.fixture.waiting()).hasSize(3).contains("fanout:etl:work t2 first " + NOON.plusSeconds(600));
		assertThat(cursor("t2").plans()).isEqualTo(2);
		this.app.deliver(this.work);
		this.fixture.clock.advance(Duration.ofMinutes(10));
		this.fixture.jdbc.execute("delete from whizbang.wh_dead_letters where died_at < '2026-03-10T12:05:00Z'");
		this.work.failing = "nobody";
		this.app.fanouts.runNow("etl");
		this.app.run();
		this.app.deliver(this.work);
		assertThat(cursor("t2").completedUntil()).isEqualTo(NOON.plusSeconds(1200));
	}

	@Test
	void aSliceThatWasReplayedFromTheDeadLettersIsNotPlannedBesideIt() {
		this.work.failing = "t2";
		this.work.forGood = true;
		this.app.run();
		this.app.deliver(this.work);
		this.fixture.jdbc.execute(
				"""
						insert into whizbang.wh_dead_letter_audit (action, decided_at, decided_by, dead_letter_id, queue, message_id, topic, reason, attempts,
						    created_at, died_at)
						select 'replayed', now(), 'me', dead_letter_id, queue, message_id, topic, reason, attempts, created_at, died_at
						from whizbang.wh_dead_letters;
						delete from whizbang.wh_dead_letters""");
		this.fixture.clock.advance(Duration.ofMinutes(10));
		this.app.run();
		assertThat(this.fixture.waiting()).hasSize(2).noneMatch((slice) -> slice.contains(" t2 "));
		this.fixture.jdbc.execute("update whizbang.wh_dead_letter_audit set action = 'discarded'");
		this.fixture.clock.advance(Duration.ofMinutes(10));
		this.app.run();
		assertThat(this.fixture.waiting()).filteredOn((slice) -> slice.contains(" t2 ")).hasSize(1);
	}

	@Test
	void aSliceThatVanishedIsPlannedAgainAfterADay() {
		this.app.run();
		this.fixture.jdbc.execute("truncate whizbang.wh_outbox");
		this.fixture.clock.advance(Duration.ofHours(23));
		this.app.run();
		assertThat(this.fixture.waiting()).isEmpty();
		this.fixture.clock.advance(Duration.ofHours(1));
		this.app.run();
		assertThat(this.fixture.waiting()).hasSize(3);
	}

	@Test
	void withoutATransactionTheCursorMovesAfterTheHandler() {
		Outside outside = new Outside(this.fixture.jdbc);
		this.app.run();
		this.app.deliver(outside);
		assertThat(outside.completedMeanwhile).containsExactly(0, 0, 0);
		assertThat(cursors()).allSatisfy((cursor) -> assertThat(cursor.completedUntil()).isEqualTo(NOON));
	}

	@Test
	void refusesAHandlerThatCouldNeverBeCalledWell() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("handler", new Wrong());
		assertThatIllegalStateException().isThrownBy(() -> new FanoutHandlerFinder(beans, () -> this.app.parts).find())
			.withMessageContaining("Wrong.work")
			.withMessageContaining("String");
	}

	private List<FanoutCursor> cursors() {
		return this.fixture.cursors(this.app, "etl");
	}

	private FanoutCursor cursor(String shard) {
		return cursors().stream().filter((cursor) -> cursor.shardKey().equals(shard)).findFirst().orElseThrow();
	}

	static final class Work {

		final List<FanoutSlice> slices = new ArrayList<>();

		private final JdbcTemplate jdbc;

		String failing = "nobody";

		boolean forGood;

		Work(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@FanoutHandler(topic = "etl", workKey = "work")
		void work(FanoutSlice slice, Map<String, String> headers) {
			this.jdbc.update("insert into done values (?, null)", slice.shardKey());
			if (slice.shardKey().equals(this.failing)) {
				throw this.forGood ? new io.whizbang.work.PermanentFailureException("told to fail")
						: new IllegalStateException("told to fail");
			}
			this.slices.add(slice);
		}

	}

	static final class Outside {

		final List<Integer> completedMeanwhile = new ArrayList<>();

		private final JdbcTemplate jdbc;

		Outside(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@FanoutHandler(topic = "etl", workKey = "work", transactional = false)
		void work(FanoutSlice slice) {
			this.completedMeanwhile.add(this.jdbc.queryForObject(
					"select count(*) from whizbang.wh_fanout_cursors where shard_key = ? and completed_until is not null",
					Integer.class, slice.shardKey()));
		}

	}

	static final class Wrong {

		@FanoutHandler(topic = "etl", workKey = "work")
		void work(String slice) {
		}

	}

}
