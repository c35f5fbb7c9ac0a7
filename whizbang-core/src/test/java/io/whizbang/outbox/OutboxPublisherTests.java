package io.whizbang.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.whizbang.message.CurrentMessage;
import io.whizbang.message.Envelope;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.observation.MessageObservations;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;
import io.whizbang.transport.TransportStatus;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.work.RetryPolicy;
import io.whizbang.work.Work;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class OutboxPublisherTests {

	private static final Claim CLAIM = new Claim(1, UUID.randomUUID());

	private final TopicHandlers handlers = new TopicHandlers();

	private final List<Object> handled = new ArrayList<>();

	private final OutboxSettings settings = OutboxSettings.defaults()
		.withRetry(RetryPolicy.defaults().withMaxAttempts(3));

	private long seq;

	@Test
	void handsThePayloadToTheTopicsHandler() {
		this.handlers.add(TopicHandler.of("orders", Order.class, (order, envelope) -> {
			assertThat(CurrentMessage.get()).isSameAs(envelope);
			this.handled.add(order);
		}));
		assertThat(publisher().handle(List.of(work("orders", null, "{\"id\":\"1\"}", 0))))
			.containsExactly(Outcome.DONE);
		assertThat(this.handled).containsExactly(new Order("1"));
		assertThat(CurrentMessage.get()).isNull();
	}

	@Test
	void handsMessagesToHandlersAloneAndToTransportsTogether() {
		this.handlers.add(handler("orders"));
		StubTransport transport = new StubTransport("kafka");
		OutboxPublisher publisher = publisher(transport);
		assertThat(publisher.batchKey(work("orders", null, "1", 0))).isNull();
		assertThat(publisher.batchKey(work("other", "a", "1", 0))).isSameAs(transport);
		assertThat(publisher.batchKey(work("another", "b", "1", 0))).isSameAs(transport);
	}

	@Test
	void sendsAMessageThatFailedBeforeAlone() {
		assertThat(publisher(new StubTransport("kafka")).batchKey(work("other", "a", "1", 1))).isNull();
	}

	@Test
	void triesAgainLaterWhatAHandlerCouldNotDo() {
		this.handlers.add(TopicHandler.of("orders", Integer.class, (payload, envelope) -> {
			throw new java.io.IOException("disk full");
		}));
		Outcome outcome = publisher().handle(List.of(work("orders", null, "1", 1))).get(0);
		assertThat(outcome).isInstanceOfSatisfying(Outcome.Retry.class,
				(retry) -> assertThat(retry.error()).contains("disk full"));
		assertThat(CurrentMessage.get()).isNull();
	}

	@Test
	void givesUpAfterTheLastAttemptOrAPermanentFailure() {
		this.handlers.add(TopicHandler.of("orders", Integer.class, (payload, envelope) -> {
			throw (payload == 1) ? new IllegalStateException() : new PermanentFailureException("never");
		}));
		assertThat(reason(publisher(), work("orders", null, "1", 2))).isEqualTo("max-attempts");
		assertThat(reason(publisher(), work("orders", null, "2", 0))).isEqualTo("permanent");
	}

	@Test
	void doesNotRunWhatHasFailedTooOften() {
		this.handlers.add(handler("orders"));
		StubTransport transport = new StubTransport("kafka");
		OutboxPublisher publisher = publisher(transport);
		assertThat(reason(publisher, work("orders", null, "1", 3))).isEqualTo("max-attempts");
		assertThat(reason(publisher, work("other", null, "1", 3))).isEqualTo("max-attempts");
		assertThat(this.handled).isEmpty();
		assertThat(transport.sends()).isEmpty();
	}

	@Test
	void triesAgainWhatAHandlerCannotRead() {
		this.handlers.add(handler("orders"));
		assertThat(publisher().handle(List.of(work("orders", null, "{\"no\":\"number\"}", 0)))).singleElement()
			.isInstanceOf(Outcome.Retry.class);
	}

	@Test
	void usesTheRetryPolicyOfTheTopicAndTheHandler() {
		RetryPolicy impatient = RetryPolicy.defaults().withMaxAttempts(1);
		OutboxSettings settings = new OutboxSettings(OutboxSettings.Ordering.STRICT, false, Map.of(),
				RetryPolicy.defaults(), Map.of("hasty.*", impatient), Duration.ofSeconds(30), Duration.ofSeconds(5));
		this.handlers.add(new TopicHandler<Integer>() {
			@Override
			public String topic() {
				return "hasty.orders";
			}

			@Override
			public void handle(Integer payload, Envelope envelope) {
			}

			@Override
			public RetryPolicy retryPolicy(RetryPolicy configured) {
				return configured.withNeverRetry(Set.of(IllegalStateException.class));
			}
		});
		OutboxPublisher publisher = new OutboxPublisher(new Destinations(Map.of(), null, List.of(), this.handlers),
				new JsonMessageCodec(JsonMapper.shared()), settings, MessageObservations.NONE);
		assertThat(publisher.of(work("hasty.other", null, "1", 0))).isEqualTo(impatient);
		assertThat(publisher.of(work("hasty.orders", null, "1", 0)))
			.isEqualTo(impatient.withNeverRetry(Set.of(IllegalStateException.class)));
		assertThat(publisher.of(work("other", null, "1", 0))).isEqualTo(RetryPolicy.defaults());
	}

	@Test
	void letsMessagesWaitThatNobodyTakesAndTellsTheirTopics() {
		OutboxPublisher publisher = publisher();
		assertThat(publisher.handle(List.of(work("orders", null, "1", 0)))).singleElement()
			.isInstanceOfSatisfying(Outcome.Postpone.class, (postpone) -> {
				assertThat(postpone.delay()).isEqualTo(Duration.ofSeconds(30));
				assertThat(postpone.reason()).contains("no handler or transport for topic \"orders\"");
			});
		assertThat(publisher.unroutableTopics()).containsExactly("orders");
		this.handlers.add(handler("orders"));
		publisher.handle(List.of(work("orders", null, "1", 0)));
		assertThat(publisher.unroutableTopics()).isEmpty();
	}

	@Test
	void tellsResultsOfATransportOneByOne() {
		StubTransport transport = new StubTransport("kafka", (message) -> switch (message.payload()) {
			case "1" -> SendResult.sent();
			case "2" -> SendResult.failed(new IllegalStateException("too large"));
			case "3" -> SendResult.notSent();
			default -> SendResult.unreachable(new IllegalStateException("no route to host"));
		});
		List<Outcome> outcomes = publisher(transport).handle(List.of(work("t", null, "1", 0), work("t", null, "2", 0),
				work("t", null, "3", 0), work("t", null, "4", 0)));
		assertThat(outcomes).satisfiesExactly((done) -> assertThat(done).isEqualTo(Outcome.DONE),
				(retry) -> assertThat(retry).isInstanceOf(Outcome.Retry.class),
				(release) -> assertThat(release).isEqualTo(Outcome.RELEASE),
				(postpone) -> assertThat(postpone).isEqualTo(new Outcome.Postpone(Duration.ofSeconds(5),
						"java.lang.IllegalStateException: no route to host")));
	}

	@Test
	void neverCountsAMessageAsSentAfterAFailureInItsStream() {
		StubTransport careless = new StubTransport("kafka", (message) -> message.payload().equals("2")
				? SendResult.failed(new IllegalStateException()) : SendResult.sent());
		List<Outcome> outcomes = publisher(careless).handle(List.of(work("t", "a", "1", 0), work("t", "a", "2", 0),
				work("t", "a", "3", 0), work("t", "b", "4", 0), work("t", null, "5", 0)));
		assertThat(outcomes).extracting((outcome) -> outcome.getClass().getSimpleName())
			.containsExactly("Done", "Retry", "Release", "Done", "Done");
	}

	@Test
	void splitsWhatATransportCannotTakeAtOnceAndStopsFailedStreams() {
		StubTransport transport = new StubTransport("kafka", (message) -> message.payload().equals("1")
				? SendResult.failed(new IllegalStateException()) : SendResult.sent());
		transport.batchSize = 2;
		List<Outcome> outcomes = publisher(transport).handle(List.of(work("t", "a", "1", 0), work("t", "b", "2", 0),
				work("t", "a", "3", 0), work("t", "b", "4", 0), work("t", "a", "5", 0)));
		assertThat(transport.sends()).containsExactly(List.of("1", "2"), List.of("4"));
		assertThat(outcomes).extracting((outcome) -> outcome.getClass().getSimpleName())
			.containsExactly("Retry", "Done", "Release", "Done", "Release");
	}

	@Test
	void countsAnExceptionAgainstTheFirstMessageOfEachStream() {
		StubTransport transport = new StubTransport("kafka", (message) -> {
			throw new IllegalStateException("broken pipe");
		});
		List<Outcome> outcomes = publisher(transport).handle(List.of(work("t", "a", "1", 0), work("t", "a", "2", 0),
				work("t", "b", "3", 0), work("t", null, "4", 0)));
		assertThat(outcomes).extracting((outcome) -> outcome.getClass().getSimpleName())
			.containsExactly("Retry", "Release", "Retry", "Retry");
	}

	@Test
	void takesMissingResultsForAFailure() {
		Transport forgetful = new Transport() {
			@Override
			public String name() {
				return "forgetful";
			}

			@Override
			public List<SendResult> send(List<Envelope> messages) {
				return List.of();
			}
		};
		assertThat(publisher(forgetful).handle(List.of(work("t", null, "1", 0)))).singleElement()
			.isInstanceOfSatisfying(Outcome.Retry.class,
					(retry) -> assertThat(retry.error()).contains("\"forgetful\" was given 1 messages but returned 0"));
	}

	@Test
	void tellsWhichTransportsCannotBeReached() {
		StubTransport dead = new StubTransport("kafka",
				(message) -> SendResult.unreachable(new IllegalStateException("no route to host")));
		OutboxPublisher publisher = publisher(dead);
		assertThat(publisher.transports()).singleElement().matches(TransportStatus::isReachable);
		assertThat(publisher.handle(List.of(work("t", "a", "1", 0), work("t", "b", "2", 0))))
			.allSatisfy((outcome) -> assertThat(outcome).isInstanceOf(Outcome.Postpone.class));
		assertThat(publisher.transports()).singleElement().satisfies((status) -> {
			assertThat(status.isReachable()).isFalse();
			assertThat(status.reason()).contains("no route to host");
		});
	}

	@Test
	void letsErrorsPass() {
		this.handlers.add(TopicHandler.of("orders", Integer.class, (payload, envelope) -> {
			throw new LinkageError();
		}));
		assertThatExceptionOfType(LinkageError.class)
			.isThrownBy(() -> publisher().handle(List.of(work("orders", null, "1", 0))));
		assertThat(CurrentMessage.get()).isNull();
	}

	private TopicHandler<Integer> handler(String topic) {
		return TopicHandler.of(topic, Integer.class, (payload, envelope) -> this.handled.add(payload));
	}

	private OutboxPublisher publisher(Transport... transports) {
		return new OutboxPublisher(new Destinations(Map.of(), null, List.of(transports), this.handlers),
				new JsonMessageCodec(JsonMapper.shared()), this.settings, MessageObservations.NONE);
	}

	private static String reason(OutboxPublisher publisher, Work work) {
		return ((Outcome.Dead) publisher.handle(List.of(work)).get(0)).reason();
	}

	private Work work(String topic, String stream, String payload, int attempts) {
		Envelope envelope = new Envelope(MessageId.next(), topic, "Thing",
				(stream != null) ? StreamId.of(stream) : null, Map.of(), payload, Instant.EPOCH);
		return new Work(CLAIM, this.seq++, attempts, null, envelope);
	}

	record Order(String id) {

	}

}
