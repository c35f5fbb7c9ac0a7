package io.whizbang.fanout;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that start or run while somebody's transaction is open.
 */
@PostgresTest
class FanoutStartTests {

	private static final FanoutSchedule HOURLY = FanoutSchedule.defaults().withInterval(Duration.ofHours(1));

	private static final FanoutSchedule DAILY = FanoutSchedule.defaults().withInterval(Duration.ofDays(1));

	private final PostgresDatabase database;

	private FanoutFixture fixture;

	FanoutStartTests(PostgresDatabase database) {
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
	void aFanoutThatAnOpenTransactionHoldsKeepsNeitherTheStartNorOthersWaiting() {
		FanoutInstance before = prepare("before", DAILY, "changed", "same");
		before.worker.start();
		Await.until("both to run", () -> before.heard.ran.containsAll(List.of("changed", "same")));
		before.worker.stop();
		FanoutInstance app = this.fixture.prepare("app", FanoutFixture.SETTINGS, planner("changed", HOURLY),
				planner("other", HOURLY), planner("same", DAILY));
		new TransactionTemplate(new JdbcTransactionManager(before.pool)).executeWithoutResult((status) -> {
			for (String topic : List.of("changed", "same")) {
				before.fanouts.runNow(topic);
				before.fanouts.setPolicy(topic, "*", new FanoutPolicy(Duration.ofHours(2), Duration.ZERO));
			}
			app.worker.start();
			Await.until("another fan-out to run", () -> app.heard.ran.contains("other"));
			assertThat(app.worker.consecutiveFailures()).isZero();
			assertThat(interval(app, "changed")).isEqualTo(Duration.ofDays(1));
		});
		Await.until("the definition of the code", () -> interval(app, "changed").equals(Duration.ofHours(1)));
		assertThat(app.fanouts.policies("changed")).singleElement()
			.satisfies((policy) -> assertThat(policy.edited()).isTrue());
	}

	@Test
	void fanoutsThatAnOpenTransactionHoldsKeepNoOtherFromRunning() {
		FanoutSchedule often = HOURLY.withInterval(Duration.ofMillis(200));
		// More of them than are asked at once.
		List<String> held = IntStream.rangeClosed(1, FanoutFixture.SETTINGS.concurrency() + 1)
			.mapToObj((i) -> "held-" + i)
			.toList();
		FanoutInstance app = prepare("app", often,
				Stream.concat(held.stream(), Stream.of("other")).toArray(String[]::new));
		app.worker.start();
		Await.until("all to run", () -> app.heard.ran.containsAll(held));
		new TransactionTemplate(new JdbcTransactionManager(app.pool)).executeWithoutResult((status) -> {
			held.forEach(app.fanouts::runNow);
			int before = runs(app, "other");
			Await.until("the other to run", () -> runs(app, "other") > before + 5);
			assertThat(app.worker.consecutiveFailures()).isZero();
		});
		int before = runs(app, "held-1");
		Await.until("one that was held to run", () -> runs(app, "held-1") > before);
	}

	private static int runs(FanoutInstance app, String topic) {
		return Collections.frequency(app.heard.ran, topic);
	}

	private FanoutInstance prepare(String service, FanoutSchedule schedule, String... topics) {
		return this.fixture.prepare(service, FanoutFixture.SETTINGS,
				List.of(topics).stream().map((topic) -> planner(topic, schedule)).toArray(FanoutPlanner[]::new));
	}

	private static FanoutPlanner planner(String topic, FanoutSchedule schedule) {
		return FanoutFixture.planner(topic, schedule, FanoutFixture.shards(1));
	}

	private static Duration interval(FanoutInstance app, String topic) {
		Duration interval = app.fanouts.find(topic).orElseThrow().interval();
		assertThat(interval).isNotNull();
		return interval;
	}

}
