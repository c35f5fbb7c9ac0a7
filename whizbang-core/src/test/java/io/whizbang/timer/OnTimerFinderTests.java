package io.whizbang.timer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OnTimerFinderTests {

	private static final List<Object> calls = new ArrayList<>();

	private static List<TopicHandler<?>> find(Object bean) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("bean", bean);
		return List.copyOf(new OnTimerFinder(beans).find());
	}

	private static Envelope message(Map<String, String> headers) {
		return new Envelope(MessageId.next(), "one", "Test", null, headers, "1", Instant.EPOCH.plusSeconds(10));
	}

	@Test
	@SuppressWarnings("unchecked")
	void methodGetsThePayloadAndItsTimer() throws Exception {
		calls.clear();
		TimerId id = TimerId.next();
		TopicHandler<@Nullable Object> handler = (TopicHandler<@Nullable Object>) find(new Good()).get(0);
		assertThat(handler.payloadType()).isEqualTo(Integer.class);
		handler.handle(7, message(Map.of(HeaderNames.TIMER_ID, id.toString(), HeaderNames.TIMER_KEY, "k",
				HeaderNames.TIMER_DUE, "1970-01-01T00:00:09.999Z", HeaderNames.TIMER_LATE, "1000")));
		assertThat(calls).containsExactly(7, new DueTimer(id, "k", Instant.parse("1970-01-01T00:00:09.999Z"),
				Instant.EPOCH.plusSeconds(10), java.time.Duration.ofMillis(1)));
	}

	@Test
	void everyTopicHasAHandlerWithTheRetriesOfItsAnnotation() {
		List<TopicHandler<?>> handlers = find(new Good());
		assertThat(handlers).extracting(TopicHandler::topic).containsExactlyInAnyOrder("one", "two");
		assertThat(handlers.get(0).retryPolicy(RetryPolicy.defaults()).maxAttempts()).isEqualTo(3);
	}

	@Test
	void messageThatComesFromNoTimerIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> DueTimer.of(message(Map.of())))
			.withMessageContaining("does not come from a timer");
	}

	@Test
	void methodThatCannotBeAHandlerIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> find(new Returning()))
			.withMessageContaining("@OnTimer")
			.withMessageContaining("must return void");
		assertThatIllegalStateException().isThrownBy(() -> find(new Greedy()))
			.withMessageContaining("more than one parameter that could be the payload; the others may be DueTimer, ");
		assertThatIllegalStateException().isThrownBy(() -> find(new Nowhere())).withMessageContaining("names no topic");
	}

	static class Good {

		@OnTimer(topic = { "one", "two" }, maxAttempts = 3)
		void fired(Integer payload, DueTimer timer) {
			calls.add(payload);
			calls.add(timer);
		}

	}

	static class Returning {

		@OnTimer("one")
		int fired() {
			return 1;
		}

	}

	static class Greedy {

		@OnTimer("one")
		void fired(String one, String other) {
		}

	}

	static class Nowhere {

		@OnTimer
		void fired() {
		}

	}

}
