package io.whizbang.transport.local;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.transport.SendResult;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class SpringEventTransportTests {

	private final List<Object> events = new ArrayList<>();

	private final SpringEventTransport transport = new SpringEventTransport(this::publish,
			new JsonMessageCodec(JsonMapper.shared()), getClass().getClassLoader());

	@Test
	void publishesPayloadsAsEvents() {
		assertThat(this.transport.send(List.of(message("{\"id\":\"1\"}", Order.class.getName(), null))))
			.containsExactly(SendResult.sent());
		assertThat(this.events).containsExactly(new Order("1"));
		assertThat(this.transport.name()).isEqualTo("spring-events");
	}

	@Test
	void stopsAStreamWhoseListenerFailed() {
		String type = Order.class.getName();
		List<SendResult> results = this.transport
			.send(List.of(message("{\"id\":\"bad\"}", type, "a"), message("{\"id\":\"2\"}", type, "a"),
					message("{\"id\":\"3\"}", type, "b"), message("{\"id\":\"4\"}", type, null)));
		assertThat(results).extracting(SendResult::status)
			.containsExactly(SendResult.Status.FAILED, SendResult.Status.NOT_SENT, SendResult.Status.SENT,
					SendResult.Status.SENT);
		assertThat(this.events).containsExactly(new Order("3"), new Order("4"));
	}

	@Test
	void tellsWhenTheTypeIsNoClass() {
		SendResult result = this.transport.send(List.of(message("{}", "com.example.Gone", null))).get(0);
		assertThat(result.failure()).hasMessageContaining("\"com.example.Gone\"")
			.hasMessageContaining("no class of this application");
	}

	private void publish(Object event) {
		assertThat(CurrentMessage.get()).isNotNull();
		if (event.equals(new Order("bad"))) {
			throw new IllegalStateException("told to fail");
		}
		this.events.add(event);
	}

	private static Envelope message(String payload, String type, String stream) {
		return new Envelope(MessageId.next(), "orders", type, (stream != null) ? StreamId.of(stream) : null, Map.of(),
				payload, Instant.EPOCH);
	}

	record Order(String id) {

	}

}
