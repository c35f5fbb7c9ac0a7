package io.whizbang.fanout;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What is configured for a single topic, and what gauges tell of topics.
 */
@PostgresTest
class FanoutTopicSettingsTests {

	private static final FanoutSchedule CODE = FanoutSchedule.defaults()
		.withCron("0 2 * * *", "Europe/Berlin")
		.withPolicy(Duration.ofHours(1), Duration.ofMinutes(1))
		.withPolicy("work", Duration.ofHours(2), Duration.ZERO);

	private final PostgresDatabase database;

	FanoutTopicSettingsTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void whatIsConfiguredForATopicWinsOverItsPlanner() {
		FanoutSchedule adjusted = new FanoutTopicSettings(true, "0 4 * * *", null, null, Duration.ofHours(5), null,
				null)
			.adjust(CODE);
		assertThat(adjusted).isEqualTo(new FanoutSchedule("0 4 * * *", null, "Europe/Berlin",
				new FanoutPolicy(Duration.ofHours(5), Duration.ofMinutes(1)), Map.of()));
		assertThat(new FanoutTopicSettings(true, null, null, Duration.ofMinutes(3), null, null, null).adjust(CODE))
			.isEqualTo(
					new FanoutSchedule(null, Duration.ofMinutes(3), "Europe/Berlin", CODE.policy(), CODE.workKeys()));
		assertThat(FanoutTopicSettings.NOTHING.adjust(CODE)).isEqualTo(CODE);
	}

	@Test
	void wrongSettingsAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new FanoutTopicSettings(true, "0 4 * * *", null, Duration.ofHours(1), null, null, null))
			.withMessageContaining("not both");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new FanoutTopicSettings(true, null, null, null, null, null, 0))
			.withMessageContaining("pageSize must be between 1 and 5000 but is 0");
	}

	@Test
	void aTopicThatIsSwitchedOffIsNotAskedAndGaugesTellOfOthers() {
		try (FanoutFixture fixture = new FanoutFixture(this.database)) {
			FanoutSettings settings = FanoutFixture.SETTINGS.withTopic("off",
					new FanoutTopicSettings(false, null, null, null, null, null, null));
			FanoutInstance app = fixture.manual(settings, FanoutFixture.shards("off", "a"),
					FanoutFixture.shards("on", "a"), FanoutFixture.planner("bad", () -> {
						throw new IllegalStateException("no shards");
					}));
			app.run();
			assertThat(app.heard.ran).isEqualTo(List.of("on"));
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			new FanoutGauges(app.fanouts::list).bindTo(registry);
			assertThat(registry.get("whizbang.fanouts").tag("status", "failing").gauge().value()).isEqualTo(1);
			assertThat(registry.get("whizbang.fanouts").tag("status", "missing").gauge().value()).isZero();
		}
	}

}
