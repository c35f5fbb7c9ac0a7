package io.whizbang.transport.rabbit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.RabbitClient;
import io.whizbang.test.RabbitServer;
import io.whizbang.test.RabbitTest;
import io.whizbang.test.TcpProxy;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.SendResult.Status;
import io.whizbang.transport.rabbit.RabbitSettings.Ordering;
import io.whizbang.transport.rabbit.RabbitSettings.TopicTarget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@RabbitTest
class RabbitTransportTests {

	private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

	private final RabbitClient client;

	private final TcpProxy proxy;

	private final CachingConnectionFactory connections;

	RabbitTransportTests(RabbitServer server) throws IOException {
		this.client = new RabbitClient(server);
		this.proxy = new TcpProxy(server.host(), server.port());
		this.connections = new CachingConnectionFactory("localhost", this.proxy.port());
	}

	@AfterEach
	void close() throws IOException {
		this.connections.destroy();
		this.proxy.close();
		this.client.close();
	}

	@Test
	void aClientThatKnowsNothingOfWhizbangReadsEverything() throws IOException {
		String queue = this.client.queue("orders");
		Envelope message = new Envelope(MessageId.next(), queue, "OrderPlaced", StreamId.of("customer-7"),
				Map.of(HeaderNames.CORRELATION_ID, "c-1", HeaderNames.CAUSATION_ID, "c-0", HeaderNames.TRACE_PARENT,
						"00-1-2-01", "tenant", "blue"),
				"{\"total\":\"10 €\"}", TIME);
		assertThat(transport().send(List.of(message))).containsExactly(SendResult.sent());

		GetResponse response = this.client.next(queue);
		assertThat(new String(response.getBody(), StandardCharsets.UTF_8)).isEqualTo("{\"total\":\"10 €\"}");
		BasicProperties properties = response.getProps();
		assertThat(properties.getMessageId()).isEqualTo(message.id().toString());
		assertThat(properties.getContentType()).isEqualTo("application/json");
		assertThat(properties.getType()).isEqualTo("OrderPlaced");
		assertThat(properties.getCorrelationId()).isEqualTo("c-1");
		assertThat(properties.getTimestamp()).isEqualTo(Date.from(TIME.truncatedTo(ChronoUnit.SECONDS)));
		assertThat(properties.getAppId()).isEqualTo("shop");
		assertThat(properties.getDeliveryMode()).isEqualTo(2);
		Map<String, String> headers = new LinkedHashMap<>();
		properties.getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
		assertThat(headers).containsOnly(Map.entry("cloudEvents:specversion", "1.0"),
				Map.entry("cloudEvents:id", message.id().toString()), Map.entry("cloudEvents:source", "/shop"),
				Map.entry("cloudEvents:type", "OrderPlaced"), Map.entry("cloudEvents:time", TIME.toString()),
				Map.entry("cloudEvents:subject", queue), Map.entry("cloudEvents:partitionkey", "customer-7"),
				Map.entry("cloudEvents:correlationid", "c-1"), Map.entry("cloudEvents:causationid", "c-0"),
				Map.entry("traceparent", "00-1-2-01"), Map.entry("tenant", "blue"));
	}

	@Test
	void leavesLongTextsToTheHeaders() throws IOException {
		String queue = this.client.queue("orders");
		String type = "x".repeat(300);
		transport().send(List.of(new Envelope(MessageId.next(), queue, type, null, Map.of(), "1", TIME)));
		BasicProperties properties = this.client.next(queue).getProps();
		assertThat(properties.getType()).isNull();
		assertThat(properties.getHeaders().get("cloudEvents:type")).hasToString(type);
	}

	@Test
	void sendsTopicsWhereTheSettingsSay() throws IOException {
		String all = this.client.exchange("all", "#");
		String mails = this.client.exchange("mails", "mails.#");
		String urgent = this.client.exchange("urgent", "now");
		RabbitTransport transport = transport(RabbitSettings.defaults()
			.withExchange(all)
			.withTopics(Map.of("mails.*", new TopicTarget(mails, null), "mails.urgent", new TopicTarget(urgent, "now"),
					"renamed", new TopicTarget(null, "other.key"))));
		transport.send(List.of(message("orders", null, "1"), message("mails.all", null, "2"),
				message("mails.urgent", null, "3"), message("renamed", null, "4")));
		assertThat(this.client.next(all).getEnvelope().getRoutingKey()).isEqualTo("orders");
		assertThat(this.client.next(all).getEnvelope().getRoutingKey()).isEqualTo("other.key");
		assertThat(this.client.next(mails).getEnvelope().getRoutingKey()).isEqualTo("mails.all");
		assertThat(this.client.next(urgent).getEnvelope().getRoutingKey()).isEqualTo("now");
	}

	@Test
	void aMessageThatLeadsToNoQueueFails() throws IOException {
		String queue = this.client.queue("orders");
		String nowhere = this.client.name("nowhere");
		List<SendResult> results = transport().send(List.of(message(queue, "a", "1"), message(nowhere, "b", "2"),
				message(queue, "b", "3"), message(queue, "a", "4"), message(queue, null, "5")));
		assertThat(results).extracting(SendResult::status)
			.containsExactly(Status.SENT, Status.FAILED, Status.NOT_SENT, Status.SENT, Status.SENT);
		assertThat(results.get(1).failure()).isInstanceOf(RabbitRefusedException.class)
			.hasMessageContaining("to topic \"%s\", sent to the default exchange with routing key \"%s\"", nowhere,
					nowhere)
			.hasMessageContaining("leads to no queue (312 NO_ROUTE)");
		assertThat(this.client.payloads(queue)).containsExactly("1", "4", "5");
	}

	@Test
	void onlyMessagesToAnExchangeThatDoesNotExistFail() throws IOException {
		String queue = this.client.queue("orders");
		String missing = this.client.name("missing");
		RabbitTransport transport = transport(
				RabbitSettings.defaults().withTopics(Map.of("lost.*", new TopicTarget(missing, null))));
		List<SendResult> results = transport
			.send(List.of(message(queue, "a", "1"), message("lost.1", "b", "2"), message(queue, "b", "3"),
					message(queue, "a", "4"), message("lost.2", "a", "5"), message("lost.3", null, "6")));
		assertThat(results).extracting(SendResult::status)
			.containsExactly(Status.SENT, Status.FAILED, Status.NOT_SENT, Status.SENT, Status.FAILED, Status.FAILED);
		assertThat(results.get(1).failure()).hasMessageContaining("sent to exchange \"%s\"", missing)
			.hasMessageContaining("404 NOT_FOUND - no exchange '%s'", missing);
		assertThat(new LinkedHashSet<>(this.client.payloads(queue))).containsExactly("1", "4");
	}

	@Test
	void onlyAMessageThatCannotBeWrittenFails() throws IOException {
		String queue = this.client.queue("orders");
		List<SendResult> results = transport()
			.send(List.of(message(queue, null, "1"), message("x".repeat(256), null, "2"), message(queue, null, "3")));
		assertThat(results).extracting(SendResult::status).containsExactly(Status.SENT, Status.FAILED, Status.SENT);
		assertThat(results.get(1).failure()).hasMessageContaining("Short string too long");
		assertThat(this.client.payloads(queue)).containsExactly("1", "3");
	}

	@Test
	void aMessageThatAQueueRefusesFails() throws IOException {
		String queue = this.client.queue("full", Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
		List<SendResult> results = transport().send(List.of(message(queue, "a", "1")));
		assertThat(results).containsExactly(SendResult.sent());
		Await.until("the queue is full", () -> this.client.count(queue) == 1);
		results = transport().send(List.of(message(queue, "a", "2"), message(queue, "a", "3")));
		assertThat(results).extracting(SendResult::status).containsExactly(Status.FAILED, Status.NOT_SENT);
		assertThat(results.get(0).failure()).hasMessageContaining("a queue is full or cannot store it");
	}

	@Test
	void sendsNothingBehindARefusedMessageWhenStreamsAreConfirmed() throws IOException {
		String refused = this.client.exchange("refused", "#");
		String queue = this.client.queue("full",
				Map.of("x-max-length", 1, "x-overflow", "reject-publish-dlx", "x-dead-letter-exchange", refused));
		RabbitTransport transport = transport(RabbitSettings.defaults().withOrdering(Ordering.CONFIRMED));
		List<SendResult> results = transport.send(List.of(message(queue, "a", "1")));
		assertThat(results).containsExactly(SendResult.sent());
		Await.until("the queue is full", () -> this.client.count(queue) == 1);
		results = transport.send(List.of(message(queue, "a", "2"), message(queue, "a", "3")));
		assertThat(results).extracting(SendResult::status).containsExactly(Status.FAILED, Status.NOT_SENT);
		assertThat(this.client.payloads(refused)).containsExactly("2");
	}

	@Test
	void aBrokerThatIsAwayCountsAsUnreachable() throws IOException {
		String queue = this.client.queue("orders");
		this.proxy.cut();
		RabbitTransport transport = transport();
		List<Envelope> messages = List.of(message(queue, "a", "1"), message(queue, "a", "2"),
				message(queue, null, "3"));
		assertThat(transport.send(messages)).extracting(SendResult::status)
			.containsExactly(Status.UNREACHABLE, Status.NOT_SENT, Status.UNREACHABLE);
		this.proxy.mend();
		assertThat(transport.send(messages)).containsOnly(SendResult.sent());
		assertThat(this.client.payloads(queue)).containsExactly("1", "2", "3");
	}

	@Test
	void losesNothingWhenTheConnectionBreaksInTheMiddle() throws Exception {
		String queue = this.client.queue("orders");
		String filling = "x".repeat(50_000);
		List<Envelope> messages = IntStream.range(0, 500)
			.mapToObj((i) -> message(queue, "stream-" + i % 5, "\"%d %s\"".formatted(i, filling)))
			.toList();
		RabbitTransport transport = transport();
		CompletableFuture<List<SendResult>> sending = CompletableFuture.supplyAsync(() -> transport.send(messages));
		Await.until("the first messages arrive", () -> this.client.count(queue) > 0);
		this.proxy.cut();
		List<SendResult> results = sending.get(30, TimeUnit.SECONDS);
		assertThat(results).extracting(SendResult::status)
			.isSubsetOf(Status.SENT, Status.UNREACHABLE, Status.NOT_SENT)
			.contains(Status.UNREACHABLE);

		this.proxy.mend();
		// As the outbox does; the client may not know yet that its connection is broken.
		List<Envelope> rest = new ArrayList<>(unsent(messages, results));
		Await.until("everything is sent", () -> {
			List<Envelope> left = unsent(rest, transport.send(rest));
			rest.retainAll(left);
			return rest.isEmpty();
		});
		Map<Integer, List<Integer>> firstArrivals = new LinkedHashSet<>(this.client.payloads(queue)).stream()
			.map((payload) -> Integer.valueOf(payload.substring(1, payload.indexOf(' '))))
			.collect(Collectors.groupingBy((i) -> i % 5));
		assertThat(firstArrivals.values()).hasSize(5)
			.allSatisfy((stream) -> assertThat(stream).hasSize(100).isSorted());
	}

	@Test
	void leavesTheTemplateOfTheApplicationAlone() throws Exception {
		String queue = this.client.queue("orders");
		this.connections.setPublisherConfirmType(ConfirmType.CORRELATED);
		RabbitTemplate template = new RabbitTemplate(this.connections);
		List<CompletableFuture<CorrelationData.Confirm>> confirms = new ArrayList<>();
		RabbitTransport transport = transport();
		for (int i = 0; i < 3; i++) {
			CorrelationData correlation = new CorrelationData();
			template.convertAndSend("", queue, "template", correlation);
			confirms.add(correlation.getFuture());
			assertThat(transport.send(List.of(message(queue, null, "transport")))).containsOnly(SendResult.sent());
		}
		for (CompletableFuture<CorrelationData.Confirm> confirm : confirms) {
			assertThat(confirm.get(10, TimeUnit.SECONDS).ack()).isTrue();
		}
		assertThat(this.client.payloads(queue)).hasSize(6);
	}

	private static List<Envelope> unsent(List<Envelope> messages, List<SendResult> results) {
		return IntStream.range(0, messages.size())
			.filter((i) -> results.get(i).status() != Status.SENT)
			.mapToObj(messages::get)
			.toList();
	}

	private RabbitTransport transport() {
		return transport(RabbitSettings.defaults());
	}

	private RabbitTransport transport(RabbitSettings settings) {
		return new RabbitTransport(this.connections, new CloudEvents("/shop"), "shop", settings);
	}

	private static Envelope message(String topic, String stream, String payload) {
		return new Envelope(MessageId.next(), topic, "Order", (stream != null) ? StreamId.of(stream) : null, Map.of(),
				payload, TIME);
	}

}
