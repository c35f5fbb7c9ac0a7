package io.whizbang.outbox;

import java.util.List;
import java.util.Map;

import io.whizbang.message.JsonMessageCodec;
import io.whizbang.transport.Transport;
import io.whizbang.transport.local.SpringEventTransport;
import io.whizbang.work.DefinitionException;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class DestinationsTests {

	private final TopicHandlers handlers = new TopicHandlers();

	private final Transport kafka = new StubTransport("kafka");

	private final Transport rabbit = new StubTransport("rabbit");

	@Test
	void prefersTheRouterThenTheRouteThenTheHandlerThenTheOnlyTransport() {
		TopicHandler<String> handler = TopicHandler.of("handled", String.class, (payload, envelope) -> {
		});
		TopicHandler<String> routed = TopicHandler.of("routed", String.class, (payload, envelope) -> {
		});
		this.handlers.add(handler);
		this.handlers.add(routed);
		OutboxRouter router = (topic) -> topic.equals("handled-by-code") ? "kafka" : null;
		Destinations destinations = new Destinations(Map.of("routed", "kafka", "handled-by-code", "handlers"), router,
				List.of(this.kafka), this.handlers);
		assertThat(destinations.find("handled-by-code")).isEqualTo(new Destination.ToTransport(this.kafka));
		assertThat(destinations.find("routed")).isEqualTo(new Destination.ToTransport(this.kafka));
		assertThat(destinations.find("handled")).isEqualTo(new Destination.ToHandler(handler, String.class));
		assertThat(destinations.find("anything")).isEqualTo(new Destination.ToTransport(this.kafka));
	}

	@Test
	void prefersAnExactRouteThenTheMostSpecificPattern() {
		Destinations destinations = new Destinations(
				Map.of("*", "rabbit", "orders.*", "kafka", "orders.internal.*", "rabbit", "orders.internal.a", "kafka"),
				null, List.of(this.kafka, this.rabbit), this.handlers);
		assertThat(destinations.find("users")).isEqualTo(new Destination.ToTransport(this.rabbit));
		assertThat(destinations.find("orders.placed")).isEqualTo(new Destination.ToTransport(this.kafka));
		assertThat(destinations.find("orders.internal.b")).isEqualTo(new Destination.ToTransport(this.rabbit));
		assertThat(destinations.find("orders.internal.a")).isEqualTo(new Destination.ToTransport(this.kafka));
	}

	@Test
	void sendsUnroutedTopicsToNoTransportThatMayHaveNoListener() {
		Transport events = new SpringEventTransport((event) -> {
		}, new JsonMessageCodec(JsonMapper.builder().build()), getClass().getClassLoader());
		assertThat(new Destinations(Map.of(), null, List.of(events), this.handlers).find("anything"))
			.isInstanceOf(Destination.Nowhere.class);
		assertThat(new Destinations(Map.of(), null, List.of(events, this.kafka), this.handlers).find("anything"))
			.isEqualTo(new Destination.ToTransport(this.kafka));
	}

	@Test
	void tellsWhyATopicLeadsNowhere() {
		assertThat(reason(List.of(), null, "a")).contains("no handler or transport for topic \"a\"");
		assertThat(reason(List.of(this.kafka, this.rabbit), null, "a")).contains("[kafka, rabbit]", "add a route");
		assertThat(reason(List.of(this.kafka), (topic) -> "pigeon", "a")).contains("no transport \"pigeon\"");
		assertThat(reason(List.of(this.kafka), (topic) -> "handlers", "a")).contains("routed to handlers");
	}

	private String reason(List<Transport> transports, OutboxRouter router, String topic) {
		Destination destination = new Destinations(Map.of(), router, transports, this.handlers).find(topic);
		return ((Destination.Nowhere) destination).reason();
	}

	@Test
	void refusesARouteToATransportThatDoesNotExist() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Destinations(Map.of("a", "pigeon"), null, List.of(this.kafka), this.handlers))
			.withMessageContaining("\"a\"")
			.withMessageContaining("\"pigeon\"")
			.withMessageContaining("[kafka]");
	}

	@Test
	void refusesTransportsThatCannotBeToldApart() {
		assertThatExceptionOfType(DefinitionException.class).isThrownBy(
				() -> new Destinations(Map.of(), null, List.of(this.kafka, new StubTransport("kafka")), this.handlers))
			.withMessageContaining("\"kafka\"");
		assertThatExceptionOfType(DefinitionException.class)
			.isThrownBy(() -> new Destinations(Map.of(), null, List.of(new StubTransport("handlers")), this.handlers));
	}

	@Test
	void refusesTwoHandlersOfOneTopicAndNamesBoth() {
		this.handlers.add(new Named("first"));
		assertThatIllegalStateException().isThrownBy(() -> this.handlers.add(new Named("second")))
			.withMessageContaining("first")
			.withMessageContaining("second");
	}

	@Test
	void checksTopicsOnceAllHandlersAreKnown() {
		Destinations destinations = new Destinations(Map.of(), null, List.of(), this.handlers);
		destinations.check("a");
		this.handlers.complete();
		assertThatExceptionOfType(UnroutableTopicException.class).isThrownBy(() -> destinations.check("a"))
			.withMessageContaining("\"a\"");
		this.handlers.add(TopicHandler.of("a", String.class, (payload, envelope) -> {
		}));
		destinations.check("a");
	}

	private record Named(String name) implements TopicHandler<String> {

		@Override
		public String topic() {
			return "topic";
		}

		@Override
		public void handle(String payload, io.whizbang.message.Envelope envelope) {
		}

	}

}
