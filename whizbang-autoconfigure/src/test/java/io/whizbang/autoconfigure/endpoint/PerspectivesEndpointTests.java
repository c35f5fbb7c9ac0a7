package io.whizbang.autoconfigure.endpoint;

import java.security.Principal;
import java.time.Instant;
import java.util.List;

import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.PerspectiveRun;
import io.whizbang.perspective.PerspectiveStatus;
import io.whizbang.perspective.Perspectives;
import io.whizbang.perspective.StoppedStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

class PerspectivesEndpointTests {

	private static final PerspectiveRun RUN = new PerspectiveRun("orders", 1, 2);

	private final Perspectives perspectives = mock(Perspectives.class);

	private final PerspectivesEndpoint endpoint = new PerspectivesEndpoint(this.perspectives);

	PerspectivesEndpointTests() {
		PerspectiveStatus status = new PerspectiveStatus(RUN, PerspectiveStatus.State.SERVING, false, 16, 16, 90, 100,
				10, 1, 2, 5.0, null, Instant.EPOCH, null);
		given(this.perspectives.status()).willReturn(List.of(status));
		given(this.perspectives.status("orders")).willReturn(List.of(status));
	}

	@Test
	void showsHowPerspectivesStand() {
		assertThat(body(this.endpoint.list()).runs()).singleElement().satisfies((run) -> {
			assertThat(run.name()).isEqualTo("orders");
			assertThat(run.state()).isEqualTo("serving");
			assertThat(run.behind()).isEqualTo(10);
		});
	}

	@Test
	void showsStreamsThatHaveStopped() {
		given(this.perspectives.stopped("orders", null, 20))
			.willReturn(List.of(new StoppedStream(RUN, StreamId.of("A"), 7, true, 10, null, "wrong", Instant.EPOCH)));
		assertThat(body(this.endpoint.show("orders", null, "20")).stopped()).singleElement().satisfies((stream) -> {
			assertThat(stream.stream()).isEqualTo("A");
			assertThat(stream.state()).isEqualTo("dead");
			assertThat(stream.error()).isEqualTo("wrong");
		});
	}

	@Test
	void doesWhatOperatorsWant() {
		given(this.perspectives.retry("orders", StreamId.of("A"), new Operator("ada", "why"))).willReturn(true);
		given(this.perspectives.skip("orders", StreamId.of("A"), 7, new Operator("ada", "why"))).willReturn(true);
		for (String action : List.of("rebuild", "rebuild-beside", "pause", "resume", "replay", "retry", "skip")) {
			assertThat(act(action, "A", "7").getStatus()).as(action).isEqualTo(200);
		}
		verify(this.perspectives).rebuild("orders");
		verify(this.perspectives).rebuildBeside("orders");
		verify(this.perspectives).pause("orders");
		verify(this.perspectives).resume("orders");
		verify(this.perspectives).replay("orders", StreamId.of("A"));
	}

	@Test
	void saysWhatIsWrong() {
		assertThat(act("explode", null, null).getStatus()).isEqualTo(400);
		assertThat(act("retry", null, null).getStatus()).isEqualTo(400);
		assertThat(act("skip", "A", null).getStatus()).isEqualTo(400);
		assertThat(act("skip", "A", "x").getStatus()).isEqualTo(400);
		assertThat(act("retry", "B", null).getStatus()).isEqualTo(409);
		willThrow(new UnsupportedOperationException("write @OnReset")).given(this.perspectives).rebuild("orders");
		WebEndpointResponse<?> refused = act("rebuild", null, null);
		assertThat(refused.getStatus()).isEqualTo(409);
		assertThat(refused.getBody()).isEqualTo(new Problem("write @OnReset"));
	}

	@Test
	void namesWhoIsLoggedIn() {
		SecurityContext security = mock(SecurityContext.class);
		Principal bob = () -> "bob";
		given(security.getPrincipal()).willReturn(bob);
		this.endpoint.act("orders", "retry", "A", null, "ada", null, security);
		verify(this.perspectives).retry("orders", StreamId.of("A"), new Operator("bob", null));
	}

	private WebEndpointResponse<?> act(String action, @Nullable String stream, @Nullable String version) {
		return this.endpoint.act("orders", action, stream, version, "ada", "why", SecurityContext.NONE);
	}

	private static PerspectivesBody body(WebEndpointResponse<?> response) {
		Object body = response.getBody();
		assertThat(body).isInstanceOf(PerspectivesBody.class);
		return (PerspectivesBody) body;
	}

}
