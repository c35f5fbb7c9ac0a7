package io.whizbang.transport.rabbit;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.whizbang.message.HeaderNames;
import io.whizbang.test.Await;
import io.whizbang.test.RabbitClient;
import io.whizbang.test.RabbitServer;
import io.whizbang.test.RabbitTest;
import io.whizbang.test.TcpProxy;
import io.whizbang.transport.Arrival;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.ReceivedEvent;
import io.whizbang.transport.rabbit.RabbitListenerSettings.MissingId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

@RabbitTest
class RabbitReceiverTests {

	private final RecordingIntake intake = new RecordingIntake();

	private final RabbitClient client;

	private final TcpProxy proxy;

	private final CachingConnectionFactory connections;

	private RabbitReceiver receiver;

	RabbitReceiverTests(RabbitServer server) throws IOException {
		this.client = new RabbitClient(server);
		this.proxy = new TcpProxy(server.host(), server.port());
		this.connections = new CachingConnectionFactory("localhost", this.proxy.port());
	}

	@AfterEach
	void close() throws IOException {
		this.receiver.stop();
		this.connections.destroy();
		this.proxy.close();
		this.client.close();
	}

	@Test
	void takesMessagesInBatchesAndInOrder() throws IOException {
		String queue = this.client.queue("orders");
		List<String> payloads = publish(queue, 300);
		start(RabbitListenerSettings.of(queue));
		this.intake.await(300);
		assertThat(this.intake.payloads()).isEqualTo(payloads);
		assertThat(this.intake.calls()).isBetween(3, 30);
		this.receiver.stop();
		assertThat(this.client.count(queue)).isZero();
	}

	@Test
	void keepsWhatCannotBeStoredAndTriesAgain() throws IOException {
		String queue = this.client.queue("orders");
		List<String> payloads = publish(queue, 10);
		this.intake.fail(2);
		start(RabbitListenerSettings.of(queue));
		this.intake.await(10);
		assertThat(this.intake.payloads()).isEqualTo(payloads);
	}

	@Test
	void givesBackWhatItCouldNotStore() throws IOException {
		String queue = this.client.queue("orders");
		List<String> payloads = publish(queue, 10);
		this.intake.fail(Integer.MAX_VALUE);
		start(RabbitListenerSettings.of(queue));
		Await.until("a try", () -> this.intake.calls() > 0);
		this.receiver.stop();
		Await.until("all messages are back", () -> this.client.count(queue) == 10);
		assertThat(this.client.payloads(queue)).isEqualTo(payloads);
	}

	@Test
	void losesNothingWhenTheConnectionBreaks() throws IOException {
		String queue = this.client.queue("orders");
		start(new RabbitListenerSettings(List.of(queue), null, null, 1, 5, 5, MissingId.ACCEPT));
		List<String> payloads = publish(queue, 50);
		this.intake.await(5);
		this.proxy.cut();
		payloads = Stream.concat(payloads.stream(), publish(queue, 5).stream()).toList();
		this.proxy.mend();
		this.intake.await(55);
		Await.until("all messages are there",
				() -> new LinkedHashSet<>(this.intake.payloads()).size() == 55 && this.client.count(queue) == 0);
		assertThat(new LinkedHashSet<>(this.intake.payloads())).containsExactlyElementsOf(payloads);
	}

	@Test
	void waitsForAQueueThatDoesNotExistYet() throws IOException {
		String queue = this.client.name("late");
		start(RabbitListenerSettings.of(queue));
		assertThat(this.receiver.isRunning()).isTrue();
		this.client.queue("late");
		publish(queue, 1);
		this.intake.await(1);
	}

	@Test
	void waitsForABrokerThatIsAway() throws IOException {
		String queue = this.client.queue("orders");
		this.proxy.cut();
		start(RabbitListenerSettings.of(queue));
		publish(queue, 1);
		this.proxy.mend();
		this.intake.await(1);
	}

	@Test
	void readsThePropertiesOfSendersThatKnowNothingOfCloudEvents() throws IOException {
		String queue = this.client.queue("orders");
		this.client.publish(queue,
				new BasicProperties.Builder().messageId("m-1")
					.type("OrderPlaced")
					.correlationId("c-1")
					.contentType("application/json")
					.headers(Map.of("tenant", "blue", "try", 7, "long", "x".repeat(2000), "bytes", new byte[] { 1, 2 },
							"zero", "a\0"))
					.build(),
				"{\"total\":1}");
		start(RabbitListenerSettings.of(queue));
		Arrival arrival = this.intake.await(1).get(0);
		assertThat(arrival.source()).isEqualTo("rabbit:" + queue);
		assertThat(read(arrival)).isEqualTo(
				new ReceivedEvent(
						"m-1", queue, "OrderPlaced", null, Map.of("tenant", "blue", "try", "7", "long",
								"x".repeat(2000), "bytes", "AQI=", "zero", "YQA=", HeaderNames.CORRELATION_ID, "c-1"),
						"{\"total\":1}"));
		assertThat(arrival.place()).containsOnly(Map.entry("rabbit-queue", queue), Map.entry("rabbit-exchange", ""),
				Map.entry("rabbit-routing-key", queue), Map.entry("rabbit-message-id", "m-1"));
	}

	@Test
	void prefersTheAttributesOfCloudEvents() throws IOException {
		String queue = this.client.queue("orders");
		this.client.publish(queue, new BasicProperties.Builder().messageId("m-1")
			.type("other")
			.correlationId("other")
			.headers(Map.of("cloudEvents_specversion", "1.0", "cloudEvents_id", "e-1", "cloudEvents_type",
					"OrderPlaced", "cloudEvents_partitionkey", "customer-7", "cloudEvents_correlationid", "c-1"))
			.build(), "1");
		start(new RabbitListenerSettings(List.of(queue), "partner", "orders", 1, 250, 100, MissingId.ACCEPT));
		Arrival arrival = this.intake.await(1).get(0);
		assertThat(arrival.source()).isEqualTo("partner");
		assertThat(read(arrival)).isEqualTo(new ReceivedEvent("e-1", "orders", "OrderPlaced", "customer-7",
				Map.of(HeaderNames.CORRELATION_ID, "c-1"), "1"));
	}

	@Test
	void givesMessagesWithoutAnIdOneOfTheirOwn() throws IOException {
		String queue = this.client.queue("orders");
		this.client.publish(queue, null, "1");
		this.client.publish(queue, null, "1");
		start(RabbitListenerSettings.of(queue));
		List<Arrival> arrivals = this.intake.await(2);
		assertThat(arrivals).extracting((arrival) -> read(arrival).id()).doesNotHaveDuplicates();
	}

	@Test
	void leavesMessagesWithoutAnIdWithoutOneWhereTheyAreRefused() throws IOException {
		String queue = this.client.queue("orders");
		this.client.publish(queue, null, "1");
		start(new RabbitListenerSettings(List.of(queue), null, null, 1, 250, 100, MissingId.REFUSE));
		assertThat(this.intake.await(1).get(0).defaults().id()).isNull();
	}

	private void start(RabbitListenerSettings settings) {
		this.receiver = new RabbitReceiver(this.connections, this.intake, List.of(settings), 0);
		this.receiver.start();
	}

	private List<String> publish(String queue, int count) throws IOException {
		List<String> payloads = IntStream.range(0, count).mapToObj((i) -> "\"%d of %d\"".formatted(i, count)).toList();
		for (String payload : payloads) {
			this.client.publish(queue, new BasicProperties.Builder().messageId(payload).build(), payload);
		}
		return payloads;
	}

	private static ReceivedEvent read(Arrival arrival) {
		return CloudEvents.read(arrival.headers(), arrival.payload(), arrival.defaults());
	}

}
