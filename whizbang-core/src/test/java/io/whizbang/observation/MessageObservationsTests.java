package io.whizbang.observation;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class MessageObservationsTests {

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final Tracing tracing = new Tracing();

	private final MessageObservations observations = new MessageObservations(this.registry, null, null, null);

	MessageObservationsTests() {
		this.registry.observationConfig().observationHandler(this.tracing);
	}

	@Test
	void tagsDoNotGrowWithTopicsThatAreMadeUp() throws IOException {
		for (int i = 0; i < 1_000; i++) {
			Envelope message = new Envelope(MessageId.next(), "made-up-" + i, "Type", null, Map.of(), "{}",
					Instant.EPOCH);
			this.observations.enqueue(Queue.OUTBOX, message.topic(), 1, (headers) -> {
			});
			this.observations.deliver(Queue.OUTBOX, message, "handlers", () -> Outcome.DONE);
			this.observations.startSend(Queue.OUTBOX, message, "kafka").accept(Outcome.DONE, null);
			this.observations.<IOException>handle(message, "receptor", () -> {
			});
		}
		assertThat(this.tracing.stopped).hasSize(4_000);
		assertThat(this.tracing.stopped.stream()
			.flatMap((context) -> context.getLowCardinalityKeyValues().stream())
			.filter((tag) -> tag.getKey().equals("topic"))
			.map(KeyValue::getValue)
			.distinct()).hasSize(201).contains("other");
	}

	@Test
	void givesMessagesTheTraceThatEnqueuesThem() {
		Map<String, String> headers = new HashMap<>();
		this.observations.enqueue(Queue.OUTBOX, "orders", 2, headers::putAll);
		assertThat(headers).containsEntry(HeaderNames.TRACE_PARENT, "00-trace-span-01");
		assertThat(this.tracing.stopped).singleElement().satisfies((context) -> {
			assertThat(context.getName()).isEqualTo("whizbang.enqueue");
			assertThat(context.getContextualName()).isEqualTo("enqueue orders");
			assertThat(values(context)).containsEntry("queue", "outbox").containsEntry("topic", "orders");
		});
	}

	@Test
	void deliversInTheTraceOfTheMessage() {
		Outcome outcome = this.observations.deliver(Queue.OUTBOX, message(), "handlers", () -> {
			assertThat(this.registry.getCurrentObservation()).isNotNull();
			return Outcome.DONE;
		});
		assertThat(outcome).isEqualTo(Outcome.DONE);
		assertThat(this.tracing.parent).isEqualTo("00-parent-span-01");
		assertThat(this.tracing.stopped).singleElement().satisfies((context) -> {
			assertThat(context.getContextualName()).isEqualTo("deliver orders");
			assertThat(values(context)).containsEntry("outcome", "done").containsEntry("destination", "handlers");
		});
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void endsTheObservationAlsoWhenADeliveryThrows() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.observations.deliver(Queue.OUTBOX, message(), "handlers", () -> {
				throw new IllegalStateException();
			}));
		assertThat(this.tracing.stopped).singleElement()
			.satisfies((context) -> assertThat(context.getError()).isInstanceOf(IllegalStateException.class));
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void tellsWhyADeliveryFailed() {
		this.observations.deliver(Queue.OUTBOX, message(), "handlers", () -> {
			this.observations.failed(new IllegalStateException("told to fail"));
			return Outcome.RELEASE;
		});
		assertThat(this.tracing.stopped).singleElement()
			.satisfies((context) -> assertThat(context.getError()).hasMessage("told to fail"));
	}

	@Test
	void observesMessagesThatLeaveTogetherOneByOne() {
		this.observations.startSend(Queue.OUTBOX, message(), "kafka")
			.accept(Outcome.RELEASE, new IllegalStateException("told to fail"));
		assertThat(this.tracing.stopped).singleElement().satisfies((context) -> {
			assertThat(((ReceiverContext<?>) context).getKind()).isEqualTo(Kind.PRODUCER);
			assertThat(context.getError()).hasMessage("told to fail");
			assertThat(values(context)).containsEntry("outcome", "released").containsEntry("destination", "kafka");
		});
	}

	@Test
	void handlesInTheTraceOfTheMessage() {
		Envelope message = message();
		this.observations.handle(message, "billing.on",
				() -> assertThat(this.registry.getCurrentObservation()).isNotNull());
		assertThat(this.tracing.parent).isEqualTo("00-parent-span-01");
		assertThat(this.tracing.stopped).singleElement().satisfies((context) -> {
			assertThat(context.getName()).isEqualTo("whizbang.handle");
			assertThat(context.getContextualName()).isEqualTo("handle orders");
			assertThat(((ReceiverContext<?>) context).getKind()).isEqualTo(Kind.CONSUMER);
			assertThat(values(context)).containsOnly(Map.entry("topic", "orders"), Map.entry("receptor", "billing.on"));
			assertThat(context.getHighCardinalityKeyValue("message.id").getValue()).isEqualTo(message.id().toString());
			assertThat(context.getHighCardinalityKeyValue("stream").getValue()).isEqualTo("none");
			assertThat(context.getError()).isNull();
		});
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void tellsWhyAReceptorFailedAndThrowsTheSame() {
		IOException failure = new IOException("told to fail");
		assertThatIOException().isThrownBy(() -> this.observations.handle(message(), "billing.on", () -> {
			throw failure;
		})).isSameAs(failure);
		assertThat(this.tracing.stopped).singleElement()
			.satisfies((context) -> assertThat(context.getError()).isSameAs(failure));
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void handlesWithTheApplicationsOwnConvention() {
		HandleConvention convention = new HandleConvention() {
			@Override
			public String getName() {
				return "my.handle";
			}
		};
		new MessageObservations(this.registry, null, null, convention).handle(message(), "billing.on", () -> {
		});
		assertThat(this.tracing.stopped).extracting(Observation.Context::getName).containsExactly("my.handle");
	}

	@Test
	void doesNothingWithoutARegistry() {
		Map<String, String> headers = new HashMap<>();
		MessageObservations.NONE.enqueue(Queue.OUTBOX, "orders", 1, headers::putAll);
		assertThat(headers).isEmpty();
		assertThat(MessageObservations.NONE.isNoop()).isTrue();
		assertThat(MessageObservations.NONE.deliver(Queue.OUTBOX, message(), "handlers", () -> Outcome.DONE))
			.isEqualTo(Outcome.DONE);
		List<String> handled = new ArrayList<>();
		MessageObservations.NONE.handle(message(), "billing.on", () -> handled.add("a"));
		assertThat(handled).containsExactly("a");
	}

	@Test
	void usesTheApplicationsOwnConvention() {
		EnqueueConvention convention = new EnqueueConvention() {
			@Override
			public String getName() {
				return "my.enqueue";
			}
		};
		new MessageObservations(this.registry, convention, null, null).enqueue(Queue.OUTBOX, "orders", 1, (headers) -> {
		});
		assertThat(this.tracing.stopped).extracting(Observation.Context::getName).containsExactly("my.enqueue");
	}

	private static Map<String, String> values(Observation.Context context) {
		Map<String, String> values = new HashMap<>();
		for (KeyValue value : context.getLowCardinalityKeyValues()) {
			values.put(value.getKey(), value.getValue());
		}
		return values;
	}

	private static Envelope message() {
		return new Envelope(MessageId.next(), "orders", "Type", null,
				Map.of(HeaderNames.TRACE_PARENT, "00-parent-span-01"), "{}", Instant.EPOCH);
	}

	/**
	 * Does what the handlers of a tracing bridge do.
	 */
	private static final class Tracing implements ObservationHandler<Observation.Context> {

		final List<Observation.Context> stopped = new ArrayList<>();

		String parent;

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		@SuppressWarnings("unchecked")
		public void onStart(Observation.Context context) {
			if (context instanceof SenderContext<?> sender) {
				SenderContext<Object> typed = (SenderContext<Object>) sender;
				typed.getSetter().set(typed.getCarrier(), HeaderNames.TRACE_PARENT, "00-trace-span-01");
			}
			if (context instanceof ReceiverContext<?> receiver) {
				ReceiverContext<Object> typed = (ReceiverContext<Object>) receiver;
				this.parent = typed.getGetter().get(typed.getCarrier(), HeaderNames.TRACE_PARENT);
			}
		}

		@Override
		public void onStop(Observation.Context context) {
			this.stopped.add(context);
		}

	}

}
