package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.whizbang.message.StreamId;
import io.whizbang.timer.PendingTimer;
import io.whizbang.timer.TimerId;
import io.whizbang.timer.TimerPage;
import io.whizbang.timer.Timers;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class TimersEndpointTests {

	private static final TimerId ID = TimerId.of(new UUID(1, 2));

	private final Timers timers = mock(Timers.class);

	private final TimersEndpoint endpoint = new TimersEndpoint(this.timers);

	private final PendingTimer timer = new PendingTimer(ID, "order-1", "reminders", "Reminder", StreamId.of("orders"),
			Map.of("h", "1"), "{}", Instant.EPOCH.plusSeconds(5), Instant.EPOCH);

	@Test
	void countsAndListsPendingTimers() {
		given(this.timers.count(Timers.MAX_LIMIT)).willReturn(42);
		given(this.timers.list("reminders", "there", 7)).willReturn(new TimerPage(List.of(this.timer), "next"));
		TimersBody body = body(this.endpoint.list(null, "reminders", "there", "7"));
		assertThat(body.pending()).isEqualTo(42);
		assertThat(body.next()).isEqualTo("next");
		assertThat(body.timers()).singleElement().satisfies((pending) -> {
			assertThat(pending.id()).isEqualTo(ID.toString());
			assertThat(pending.stream()).isEqualTo("orders");
			assertThat(pending.due()).isEqualTo(Instant.EPOCH.plusSeconds(5));
		});
	}

	@Test
	void findsATimerByItsIdAndByItsKey() {
		given(this.timers.find(ID)).willReturn(Optional.of(this.timer));
		given(this.timers.find("order-1")).willReturn(Optional.of(this.timer));
		assertThat(body(this.endpoint.show(ID.toString())).timers()).hasSize(1);
		assertThat(body(this.endpoint.list("order-1", null, null, null)).timers()).hasSize(1);
	}

	@Test
	void payloadsAndHeadersAreOnlyInWhatShowsOneTimer() {
		given(this.timers.list(null, null, 50)).willReturn(new TimerPage(List.of(this.timer), null));
		given(this.timers.find(ID)).willReturn(Optional.of(this.timer));
		given(this.timers.find("order-1")).willReturn(Optional.of(this.timer));
		assertThat(json(this.endpoint.list(null, null, null, null))).contains("order-1")
			.doesNotContain("payload", "headers");
		assertThat(json(this.endpoint.show(ID.toString()))).contains("\"payload\":\"{}\"", "\"headers\":{\"h\":\"1\"}");
		assertThat(json(this.endpoint.list("order-1", null, null, null))).doesNotContain("payload", "headers");
	}

	private static String json(WebEndpointResponse<?> response) {
		return JsonMapper.shared().writeValueAsString(response.getBody());
	}

	@Test
	void cancelsATimerByItsIdAndByItsKey() {
		given(this.timers.cancel(ID)).willReturn(true);
		given(this.timers.cancel("order-1")).willReturn(true);
		assertThat(this.endpoint.cancel(ID.toString(), SecurityContext.NONE).getStatus()).isEqualTo(204);
		assertThat(this.endpoint.cancelByKey("order-1", SecurityContext.NONE).getStatus()).isEqualTo(204);
	}

	@Test
	void saysWhatIsWrong() {
		given(this.timers.find(ID)).willReturn(Optional.empty());
		assertThat(this.endpoint.show(ID.toString()).getStatus()).isEqualTo(404);
		assertThat(this.endpoint.cancel(ID.toString(), SecurityContext.NONE).getStatus()).isEqualTo(404);
		assertThat(this.endpoint.cancelByKey("absent", SecurityContext.NONE).getBody()).isEqualTo(new Problem(
				"There is no pending timer with the key \"absent\"; it has fired, was cancelled, or never was"));
		assertThat(this.endpoint.show("x").getStatus()).isEqualTo(400);
		assertThat(this.endpoint.cancelByKey(null, SecurityContext.NONE).getStatus()).isEqualTo(400);
		assertThat(this.endpoint.list(null, null, null, "many").getStatus()).isEqualTo(400);
	}

	private static TimersBody body(WebEndpointResponse<?> response) {
		Object body = response.getBody();
		assertThat(body).isInstanceOf(TimersBody.class);
		return (TimersBody) body;
	}

}
