package io.whizbang.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.whizbang.message.MessageId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Which slices are planned when.
 */
@PostgresTest
class FanoutPlanningTests {

	private static final Instant NOON = FanoutFixture.NOON;

	private final PostgresDatabase database;

	private FanoutFixture fixture;

	FanoutPlanningTests(PostgresDatabase database) {
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
	void sendsASliceToTheTopicOfItsFanoutAndWork() {
		FanoutInstance app = this.fixture
			.manual(FanoutFixture.planner("etl", () -> Stream.of(new FanoutCandidate("t1", "payments"),
					new FanoutCandidate("t1", "vendors"), new FanoutCandidate("t2", "payments"))));
		assertThat(app.run()).isTrue();
		assertThat(this.fixture.waiting()).containsExactly("fanout:etl:payments t1 first " + NOON,
				"fanout:etl:vendors t1 first " + NOON, "fanout:etl:payments t2 first " + NOON);
		assertThat(app.run()).as("nothing more is due").isFalse();
		assertThat(app.fanouts.find("etl")).hasValueSatisfying((topic) -> {
			assertThat(topic.nextRun()).isEqualTo(NOON.plusSeconds(600));
			assertThat(topic.lastUntil()).isEqualTo(NOON);
			assertThat(topic.candidates()).isEqualTo(3);
			assertThat(topic.planned()).isEqualTo(3);
			assertThat(topic.isFailing()).isFalse();
		});
	}

	@Test
	void asksItsPlannerAgainWhenThatIsWantedWhileItIsAsked() {
		AtomicReference<FanoutInstance> app = new AtomicReference<>();
		AtomicInteger calls = new AtomicInteger();
		app.set(this.fixture.manual(FanoutFixture.planner("etl", () -> {
			if (calls.incrementAndGet() == 1) {
				this.fixture.clock.advance(Duration.ofSeconds(1));
				CompletableFuture.runAsync(() -> app.get().fanouts.runNow("etl")).join();
				return Stream.of(new FanoutCandidate("t1", "work"));
			}
			return Stream.of(new FanoutCandidate("t1", "work"), new FanoutCandidate("t2", "work"));
		})));
		while (app.get().run()) {
			assertThat(calls).hasValueLessThan(5);
		}
		assertThat(calls).hasValue(2);
		assertThat(this.fixture.waiting()).hasSize(2).last().asString().startsWith("fanout:etl:work t2 first ");
		assertThat(app.get().fanouts.find("etl").orElseThrow().nextRun()).isAfter(NOON.plusSeconds(1));
	}

	@Test
	void givesASliceTheIdentityOfItsKeysAndTheStartOfItsWindowAndTheStreamOfItsShard() {
		FanoutInstance app = this.fixture.manual(FanoutFixture.shards("etl", "t1"));
		app.run();
		String name = String.join("\u001f", "fanout", "etl", "work", "t1", "first");
		assertThat(this.fixture.jdbc.queryForList("select message_id::text from whizbang.wh_outbox", String.class))
			.containsExactly(MessageId.of(name).toString());
		assertThat(this.fixture.jdbc.queryForList("select stream_key from whizbang.wh_outbox", String.class))
			.containsExactly("fanout:etl:t1");
		assertThat(this.fixture.jdbc.queryForObject(
				"select whizbang.fanout_slice_id('etl', 'work', 't1', '2026-03-10T12:00:00.000001Z')::text",
				String.class))
			.isEqualTo(
					MessageId.of(String.join("\u001f", "fanout", "etl", "work", "t1", "1773144000000001")).toString());
	}

	@Test
	void aWindowBeginsWhereTheLastOneEnded() {
		FanoutInstance app = this.fixture.manual(FanoutFixture.shards("etl", "t1"));
		app.run();
		complete(app);
		this.fixture.clock.advance(Duration.ofMinutes(10).plusSeconds(3));
		app.run();
		assertThat(this.fixture.waiting())
			.containsExactly("fanout:etl:work t1 %s %s".formatted(NOON, NOON.plusSeconds(600)));
	}

	@Test
	void runsThatWereMissedAreMadeUpForByOne() {
		FanoutInstance app = this.fixture.manual(FanoutFixture.shards("etl", "t1"));
		app.run();
		complete(app);
		this.fixture.clock.advance(Duration.ofMinutes(47));
		app.run();
		assertThat(this.fixture.waiting())
			.containsExactly("fanout:etl:work t1 %s %s".formatted(NOON, NOON.plusSeconds(2400)));
		assertThat(app.heard.ran).hasSize(2);
	}

	@Test
	void planAgainOnlyWhatIsDueAndNotUnderWay() {
		FanoutInstance app = this.fixture.manual(FanoutFixture.planner("etl",
				FanoutSchedule.defaults()
					.withInterval(Duration.ofMinutes(10))
					.withPolicy(Duration.ofMinutes(10), Duration.ZERO)
					.withPolicy("slow", Duration.ofMinutes(20), Duration.ZERO),
				() -> Stream.of(new FanoutCandidate("t1", "work"), new FanoutCandidate("t1", "slow"),
						new FanoutCandidate("t2", "work"))));
		app.run();
		app.fanouts.complete(new FanoutSlice("etl", "work", "t1", null, NOON));
		app.fanouts.complete(new FanoutSlice("etl", "slow", "t1", null, NOON));
		this.fixture.jdbc.execute("truncate whizbang.wh_outbox");
		this.fixture.clock.advance(Duration.ofMinutes(10));
		app.run();
		assertThat(this.fixture.waiting()).as("slow is not due, and t2 is under way")
			.containsExactly("fanout:etl:work t1 %s %s".formatted(NOON, NOON.plusSeconds(600)));
	}

	@Test
	void aPolicyChangesAtRunTimeAndGoesBackToWhatTheCodeSays() {
		FanoutInstance app = this.fixture.manual(FanoutFixture.shards("etl", "t1"));
		app.run();
		complete(app);
		app.fanouts.setPolicy("etl", "work", new FanoutPolicy(Duration.ofMinutes(30), Duration.ZERO));
		this.fixture.clock.advance(Duration.ofMinutes(20));
		app.run();
		assertThat(this.fixture.waiting()).isEmpty();
		assertThat(this.fixture.manual(FanoutFixture.shards("etl", "t1")).run()).as("a new start changes nothing")
			.isFalse();
		assertThat(app.fanouts.policies("etl")).extracting(TopicPolicy::workKey, TopicPolicy::edited)
			.containsExactly(org.assertj.core.groups.Tuple.tuple("*", false),
					org.assertj.core.groups.Tuple.tuple("work", true));
		assertThat(app.fanouts.resetPolicy("etl", "work")).isTrue();
		assertThat(app.fanouts.resetPolicy("etl", "work")).isFalse();
		app.fanouts.runNow("etl");
		app.run();
		assertThat(this.fixture.waiting()).hasSize(1);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> app.fanouts.setPolicy("other", "*", FanoutPolicy.defaults()))
			.withMessageContaining("other");
		assertThatIllegalArgumentException().isThrownBy(() -> new FanoutPolicy(Duration.ofSeconds(-1), Duration.ZERO))
			.withMessageContaining("PT-1S");
	}

	@Test
	void jitterDelaysSlicesAlwaysByTheSameAndDifferentOnesDifferently() {
		FanoutSchedule schedule = FanoutSchedule.defaults()
			.withInterval(Duration.ofMinutes(10))
			.withPolicy(Duration.ZERO, Duration.ofMinutes(5));
		FanoutInstance app = this.fixture.manual(FanoutFixture.planner("etl", schedule, FanoutFixture.shards(100)));
		app.run();
		assertThat(this.fixture.waiting()).hasSizeLessThan(5);
		String delays = "select count(distinct date_trunc('second', due_at - created_at)) from whizbang.wh_scheduled";
		assertThat(this.fixture.count(delays)).isGreaterThan(50);
		assertThat(this.fixture.count(
				"select count(*) from whizbang.wh_scheduled where due_at - created_at > interval '5 minutes 1 second'"))
			.isZero();
		assertThat(this.fixture.count("select whizbang.fanout_jitter('a', 'b', 'c', 1000)::int"))
			.isEqualTo(this.fixture.count("select whizbang.fanout_jitter('a', 'b', 'c', 1000)::int"));
	}

	@Test
	void aCandidateThatComesTwiceCountsOnceAlsoOverPages() {
		List<FanoutCandidate> candidates = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			FanoutFixture.shards(700).get().forEach(candidates::add);
		}
		FanoutInstance app = this.fixture.manual(FanoutFixture.planner("etl", candidates::stream));
		app.run();
		assertThat(this.fixture.count("select count(*) from whizbang.wh_outbox")).isEqualTo(700);
		assertThat(app.fanouts.find("etl").orElseThrow().planned()).isEqualTo(700);
	}

	@Test
	@SuppressWarnings("NullAway")
	void aWrongCandidateIsLeftOutNamedAndReportedAndTheOthersGoOn() {
		FanoutInstance app = this.fixture.manual(FanoutFixture.planner("etl",
				() -> Stream.of(new FanoutCandidate("x".repeat(257), "work"), new FanoutCandidate("t1", "work"),
						new FanoutCandidate(null, "work"), null, new FanoutCandidate("t2", " "),
						new FanoutCandidate("t2", "*"), new FanoutCandidate("a\nb", "work"),
						new FanoutCandidate("t3", "work", Map.of("h", "v".repeat(20_000))),
						new FanoutCandidate("t2", "work", Map.of("join", "42")))));
		app.run();
		assertThat(this.fixture.waiting()).containsExactly("fanout:etl:work t1 first " + NOON,
				"fanout:etl:work t2 first " + NOON);
		assertThat(app.heard.refused).hasSize(7);
		assertThat(app.fanouts.find("etl").orElseThrow().problem()).contains("x".repeat(40)).contains("257");
		assertThat(this.fixture.jdbc.queryForList(
				"select headers ->> 'join' from whizbang.wh_outbox where headers ? 'join'".replace(" ? ", " ?? "),
				String.class))
			.containsExactly("42");
	}

	@Test
	void aPlannerThatFailsIsRecordedAndTriedAgainLaterAndHarmsNoOther() {
		boolean[] failing = { true };
		boolean[] closed = { false };
		FanoutPlanner broken = FanoutFixture.planner("broken", () -> Stream.of("t1", "t2").map((shard) -> {
			if (failing[0]) {
				throw new IllegalStateException("no tenants today");
			}
			return new FanoutCandidate(shard, "work");
		}).onClose(() -> closed[0] = true));
		FanoutInstance app = this.fixture.manual(broken, FanoutFixture.shards("etl", "t1"));
		app.run();
		assertThat(this.fixture.waiting()).containsExactly("fanout:etl:work t1 first " + NOON);
		FanoutTopic topic = app.fanouts.find("broken").orElseThrow();
		assertThat(topic.isFailing()).isTrue();
		assertThat(topic.problem()).contains("no tenants today");
		assertThat(topic.retryAt()).isEqualTo(NOON.plusSeconds(10));
		assertThat(closed).containsExactly(true);
		assertThat(app.run()).isFalse();
		this.fixture.clock.advance(Duration.ofSeconds(10));
		app.run();
		assertThat(app.fanouts.find("broken").orElseThrow().retryAt()).as("twice as late")
			.isEqualTo(NOON.plusSeconds(30));
		failing[0] = false;
		this.fixture.clock.advance(Duration.ofSeconds(20));
		app.run();
		assertThat(app.fanouts.find("broken").orElseThrow().isFailing()).isFalse();
		assertThat(this.fixture.waiting()).as("with the time that was due")
			.hasSize(3)
			.contains("fanout:broken:work t1 first " + NOON);
	}

	@Test
	void aTopicWhosePlannerIsGoneWaitsAndIsReported() {
		this.fixture.manual(FanoutFixture.shards("etl", "t1")).run();
		FanoutInstance other = this.fixture.manual(FanoutFixture.shards("other", "t1"));
		this.fixture.jdbc.execute("update whizbang.wh_fanout_topics set seen_at = now() - interval '1 hour'");
		this.fixture.clock.advance(Duration.ofMinutes(10));
		other.run();
		assertThat(other.fanouts.list()).extracting(FanoutTopic::topic, FanoutTopic::isPlannerMissing)
			.containsExactly(org.assertj.core.groups.Tuple.tuple("etl", true),
					org.assertj.core.groups.Tuple.tuple("other", false));
		assertThat(other.fanouts.delete("etl")).isTrue();
		assertThat(other.fanouts.cursors("etl", null, 10)).isEmpty();
		assertThat(other.fanouts.delete("etl")).isFalse();
	}

	@Test
	void anExpressionTellsTheTimesOfItsZoneAlsoWhenClocksGoForward() {
		this.fixture.clock.set(Instant.parse("2026-03-28T12:00:00Z"));
		FanoutSchedule schedule = FanoutSchedule.defaults()
			.withCron("30 2 * * *", "Europe/Berlin")
			.withPolicy(Duration.ofHours(20), Duration.ZERO);
		FanoutInstance app = this.fixture
			.manual(FanoutFixture.planner("nightly", schedule, () -> Stream.of(new FanoutCandidate("t1", "work"))));
		assertThat(app.run()).as("an expression has its own times").isFalse();
		// 02:30 does not exist in Berlin on that day: clocks go from 02:00 to 03:00.
		assertThat(app.fanouts.find("nightly").orElseThrow().nextRun())
			.isEqualTo(Instant.parse("2026-03-29T01:00:00Z"));
		this.fixture.clock.set(Instant.parse("2026-03-29T01:00:00.5Z"));
		app.run();
		assertThat(this.fixture.waiting()).containsExactly("fanout:nightly:work t1 first 2026-03-29T01:00:00Z");
		assertThat(app.fanouts.find("nightly").orElseThrow().nextRun())
			.isEqualTo(Instant.parse("2026-03-30T00:30:00Z"));
	}

	@Test
	void runsNowWhenToldToAndGoesOnWithItsTimes() {
		FanoutSchedule schedule = FanoutSchedule.defaults()
			.withCron("@daily", "UTC")
			.withPolicy(Duration.ZERO, Duration.ZERO);
		FanoutInstance app = this.fixture
			.manual(FanoutFixture.planner("daily", schedule, () -> Stream.of(new FanoutCandidate("t1", "work"))));
		app.run();
		app.fanouts.runNow("daily");
		assertThat(app.run()).isTrue();
		assertThat(this.fixture.waiting()).containsExactly("fanout:daily:work t1 first " + NOON);
		assertThat(app.fanouts.find("daily").orElseThrow().nextRun()).isEqualTo(Instant.parse("2026-03-11T00:00:00Z"));
		assertThatIllegalArgumentException().isThrownBy(() -> app.fanouts.runNow("unknown"))
			.withMessageContaining("unknown");
	}

	@Test
	void hasTheDefaultsOfTheContract() {
		assertThat(FanoutSchedule.defaults().cron()).isEqualTo("*/5 * * * *");
		assertThat(FanoutPolicy.defaults()).isEqualTo(new FanoutPolicy(Duration.ofMinutes(5), Duration.ofMinutes(1)));
		assertThat(FanoutSettings.defaults().lease()).isEqualTo(Duration.ofSeconds(90));
		assertThat(FanoutSlice.messageTopic("etl", "payments")).isEqualTo("fanout:etl:payments");
	}

	@Test
	void cursorsOfShardsThatAreGoneAreForgottenAfterALongTime() {
		FanoutInstance app = this.fixture.manual(FanoutFixture.shards("etl", "t1", "t2"));
		app.run();
		this.fixture.jdbc.execute("update whizbang.wh_fanout_cursors set planned_at = planned_at - interval '401 days' "
				+ "where shard_key = 't1'");
		new FanoutChores(app.parts).purge();
		assertThat(this.fixture.cursors(app, "etl")).extracting(FanoutCursor::shardKey).containsExactly("t2");
	}

	private void complete(FanoutInstance app) {
		this.fixture.cursors(app, "etl")
			.forEach((cursor) -> assertThat(app.fanouts
				.complete(new FanoutSlice("etl", cursor.workKey(), cursor.shardKey(), cursor.completedUntil(), NOON)))
				.isTrue());
		this.fixture.jdbc.execute("truncate whizbang.wh_outbox");
	}

}
