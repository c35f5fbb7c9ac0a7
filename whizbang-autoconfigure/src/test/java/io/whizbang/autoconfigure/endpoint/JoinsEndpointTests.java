package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.whizbang.join.Join;
import io.whizbang.join.JoinId;
import io.whizbang.join.JoinMember;
import io.whizbang.join.JoinStatus;
import io.whizbang.join.Joins;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class JoinsEndpointTests {

	private static final Instant NOON = Instant.parse("2030-03-10T12:00:00Z");

	private static final String ID = "01a1efc1-62cd-771f-81a0-1089f0c07fa3";

	private final Joins joins = mock(Joins.class);

	private final JoinsEndpoint endpoint = new JoinsEndpoint(this.joins);

	JoinsEndpointTests() {
		JoinId id = JoinId.of(ID);
		Join join = new Join(id, "night", JoinStatus.OPEN, 3, 2, 1, 0, 0, Map.of("a", "b"), NOON, null, null);
		given(this.joins.open(null, 20)).willReturn(List.of(join));
		given(this.joins.find(id)).willReturn(Optional.of(join));
		given(this.joins.findByKey("night")).willReturn(Optional.of(join));
		given(this.joins.members(id, "m1", 20))
			.willReturn(List.of(new JoinMember("m2", JoinMember.Outcome.DONE, false, NOON, NOON, null)));
		given(this.joins.cancel(id)).willReturn(true);
	}

	@Test
	void showsOpenJoins() {
		assertThat(body(this.endpoint.list(null, null, "20")).joins()).singleElement().satisfies((join) -> {
			assertThat(join.id()).isEqualTo(ID);
			assertThat(join.expected()).isEqualTo(3);
			assertThat(join.done()).isEqualTo(1);
		});
		assertThat(body(this.endpoint.list("night", null, null)).joins()).hasSize(1);
		assertThat(body(this.endpoint.list("day", null, null)).joins()).isEmpty();
	}

	@Test
	void showsAPageOfMembers() {
		assertThat(body(this.endpoint.show(ID, "m1", "20")).members()).singleElement()
			.satisfies((member) -> assertThat(member.name()).isEqualTo("m2"));
	}

	@Test
	void cancels() {
		assertThat(this.endpoint.cancel(ID, SecurityContext.NONE).getStatus()).isEqualTo(204);
	}

	@Test
	void saysWhatIsWrong() {
		String other = "01a1efc1-62cd-771f-81a0-1089f0c07fa4";
		assertThat(this.endpoint.show("nonsense", null, null).getStatus()).isEqualTo(400);
		assertThat(this.endpoint.show(other, null, null).getStatus()).isEqualTo(404);
		assertThat(this.endpoint.cancel(other, SecurityContext.NONE).getStatus()).isEqualTo(404);
		assertThat(this.endpoint.list(null, null, "many").getStatus()).isEqualTo(400);
	}

	private static JoinsBody body(WebEndpointResponse<?> response) {
		assertThat(response.getBody()).isInstanceOf(JoinsBody.class);
		return (JoinsBody) response.getBody();
	}

}
