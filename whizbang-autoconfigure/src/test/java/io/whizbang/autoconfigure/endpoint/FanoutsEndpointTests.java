package io.whizbang.autoconfigure.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.whizbang.fanout.FanoutCursor;
import io.whizbang.fanout.FanoutPolicy;
import io.whizbang.fanout.FanoutTopic;
import io.whizbang.fanout.Fanouts;
import io.whizbang.fanout.TopicPolicy;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

class FanoutsEndpointTests {

	private static final Instant NOON = Instant.parse("2030-03-10T12:00:00Z");

	private final Fanouts fanouts = mock(Fanouts.class);

	private final FanoutsEndpoint endpoint = new FanoutsEndpoint(this.fanouts);

	FanoutsEndpointTests() {
		FanoutTopic fanout = new FanoutTopic("etl", null, Duration.ofMinutes(10), "UTC", NOON, null, NOON, NOON, NOON,
				10L, 3L, 0, null, true, NOON, Duration.ZERO, "app");
		given(this.fanouts.list()).willReturn(List.of(fanout));
		given(this.fanouts.find("etl")).willReturn(Optional.of(fanout));
		given(this.fanouts.policies("etl"))
			.willReturn(List.of(new TopicPolicy("*", FanoutPolicy.defaults(), false, NOON)));
		given(this.fanouts.cursors("etl", "work", "t1", 20))
			.willReturn(List.of(new FanoutCursor("etl", "work", "t2", NOON, NOON, null, NOON, 1)));
	}

	@Test
	void showsHowFanoutsStand() {
		assertThat(body(this.endpoint.list()).fanouts()).singleElement().satisfies((fanout) -> {
			assertThat(fanout.topic()).isEqualTo("etl");
			assertThat(fanout.interval()).isEqualTo("PT10M");
			assertThat(fanout.nextRun()).isEqualTo(NOON);
			assertThat(fanout.planned()).isEqualTo(3);
		});
	}

	@Test
	void showsPoliciesAndAPageOfCursors() {
		FanoutsBody body = body(this.endpoint.show("etl", "work", "t1", "20"));
		assertThat(body.policies()).singleElement().satisfies((policy) -> assertThat(policy.every()).isEqualTo("PT5M"));
		assertThat(body.cursors()).singleElement().satisfies((cursor) -> assertThat(cursor.shardKey()).isEqualTo("t2"));
	}

	@Test
	void runsAndChangesPolicies() {
		assertThat(this.endpoint.act("etl", "run", null, null, null, SecurityContext.NONE).getStatus()).isEqualTo(200);
		assertThat(this.endpoint.act("etl", "policy", "work", "30m", "PT1M", SecurityContext.NONE).getStatus())
			.isEqualTo(200);
		assertThat(this.endpoint.act("etl", "reset", null, null, null, SecurityContext.NONE).getStatus())
			.isEqualTo(200);
		verify(this.fanouts).runNow("etl");
		verify(this.fanouts).setPolicy("etl", "work", new FanoutPolicy(Duration.ofMinutes(30), Duration.ofMinutes(1)));
		verify(this.fanouts).resetPolicy("etl", "*");
		given(this.fanouts.delete("etl")).willReturn(true);
		assertThat(this.endpoint.delete("etl", SecurityContext.NONE).getStatus()).isEqualTo(204);
	}

	@Test
	void saysWhatIsWrong() {
		assertThat(this.endpoint.act("etl", "explode", null, null, null, SecurityContext.NONE).getStatus())
			.isEqualTo(400);
		assertThat(this.endpoint.act("etl", "policy", null, "often", "0s", SecurityContext.NONE).getStatus())
			.isEqualTo(400);
		assertThat(this.endpoint.act("etl", "policy", null, null, "0s", SecurityContext.NONE).getStatus())
			.isEqualTo(400);
		assertThat(this.endpoint.act("other", "run", null, null, null, SecurityContext.NONE).getStatus())
			.isEqualTo(404);
		assertThat(this.endpoint.show("other", null, null, null).getStatus()).isEqualTo(404);
		assertThat(this.endpoint.delete("other", SecurityContext.NONE).getStatus()).isEqualTo(404);
	}

	private static FanoutsBody body(WebEndpointResponse<?> response) {
		assertThat(response.getBody()).isInstanceOf(FanoutsBody.class);
		return (FanoutsBody) response.getBody();
	}

}
