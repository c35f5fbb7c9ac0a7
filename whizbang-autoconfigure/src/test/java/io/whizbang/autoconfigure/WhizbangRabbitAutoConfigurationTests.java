package io.whizbang.autoconfigure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import com.rabbitmq.client.GetResponse;
import io.whizbang.outbox.Outbox;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.RabbitClient;
import io.whizbang.test.RabbitServer;
import io.whizbang.test.RabbitTest;
import io.whizbang.test.TcpProxy;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.rabbit.RabbitSettings;
import io.whizbang.transport.rabbit.RabbitTransport;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import io.whizbang.work.WorkListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
@RabbitTest
class WhizbangRabbitAutoConfigurationTests {

	private static final String NO_WORKER = "whizbang.outbox.worker.enabled=false";

	private static final int ROUNDS = 3;

	/** Messages per stream that a producer enqueues while the connection breaks. */
	private static final int ROUND = 100;

	private static final int STREAMS = 10;

	private final RabbitServer server;

	private final RabbitClient client;

	private final JdbcTemplate jdbc;

	private final ApplicationContextRunner runner;

	WhizbangRabbitAutoConfigurationTests(PostgresDatabase database, RabbitServer server) throws IOException {
		this.server = server;
		this.client = new RabbitClient(server);
		this.jdbc = database.jdbc();
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					WhizbangRabbitAutoConfiguration.class, RabbitAutoConfiguration.class,
					JacksonAutoConfiguration.class))
			.withBean(DataSource.class, () -> database.createPool(10))
			.withPropertyValues(server.properties())
			.withPropertyValues("spring.application.name=shop");
	}

	@AfterEach
	void close() throws IOException {
		this.client.close();
	}

	@Test
	void deliversToTheQueueNamedLikeTheTopic() throws IOException {
		String queue = this.client.queue("orders");
		this.runner.run((context) -> {
			context.getBean(Outbox.class).enqueue(queue, "customer-7", Map.of("total", 10));
			GetResponse response = this.client.next(queue);
			assertThat(new String(response.getBody())).isEqualTo("{\"total\":10}");
			assertThat(response.getProps().getAppId()).isEqualTo("shop");
			assertThat(response.getProps().getHeaders().get("cloudEvents:source")).hasToString("/shop");
			assertThat(response.getProps().getHeaders().get("cloudEvents:partitionkey")).hasToString("customer-7");
		});
	}

	@Test
	void deliversToTheExchangesThatTheApplicationNames() throws IOException {
		String all = this.client.exchange("all", "orders.#");
		String mails = this.client.exchange("mails", "out");
		this.runner
			.withPropertyValues("whizbang.rabbit.exchange=" + all, "whizbang.rabbit.topics[mails.*].exchange=" + mails,
					"whizbang.rabbit.topics[mails.*].routing-key=out", "whizbang.outbox.event-source=/elsewhere")
			.run((context) -> {
				context.getBean(Outbox.class).enqueue("orders.placed", 1);
				context.getBean(Outbox.class).enqueue("mails.welcome", 2);
				assertThat(this.client.next(all).getEnvelope().getRoutingKey()).isEqualTo("orders.placed");
				assertThat(this.client.next(mails).getProps().getHeaders().get("cloudEvents:source"))
					.hasToString("/elsewhere");
			});
	}

	@Test
	void aMessageThatLeadsToNoQueueIsTriedAgainAndThenDead() throws IOException {
		String late = this.client.name("late");
		String never = this.client.name("never");
		this.runner
			.withPropertyValues("whizbang.outbox.retry.first-delay=10ms", "whizbang.outbox.retry.max-delay=10ms",
					"whizbang.outbox.topic-retries[%s].max-attempts=2".formatted(never),
					"whizbang.outbox.retry.max-attempts=1000")
			.withBean(Outcomes.class)
			.run((context) -> {
				context.getBean(Outbox.class).enqueue(never, 1);
				context.getBean(Outbox.class).enqueue(late, 2);
				Await.until("a dead letter", () -> !deadLetters(never).isEmpty());
				assertThat(deadLetters(never)).singleElement().satisfies((letter) -> {
					assertThat(letter.get("reason")).isEqualTo("max-attempts");
					assertThat(letter.get("error").toString()).contains(
							"sent to the default exchange with routing key \"%s\": it leads to no queue (312 NO_ROUTE)"
								.formatted(never));
				});
				Await.until("a retry", () -> outcomes(context).retries(late) > 0);
				this.client.queue("late");
				assertThat(new String(this.client.next(late).getBody())).isEqualTo("2");
			});
	}

	@Test
	void losesNothingAndKeepsTheOrderWhenTheConnectionBreaks() throws IOException {
		String queue = this.client.queue("orders");
		try (TcpProxy proxy = new TcpProxy(this.server.host(), this.server.port())) {
			this.runner.withPropertyValues(this.server.properties(proxy))
				.withPropertyValues("whizbang.outbox.unreachable-delay=100ms")
				.withBean(Outcomes.class)
				.run((context) -> {
					List<String> received = new ArrayList<>();
					for (int round = 0; round < ROUNDS; round++) {
						breakInTheMiddle(context, proxy, queue, round, received);
					}
					Await.until(() -> "all messages, of which there are " + received.size(), () -> {
						received.addAll(this.client.payloads(queue));
						return Set.copyOf(received).size() == ROUNDS * STREAMS * (ROUND + 1);
					});
					assertThat(firstArrivals(received).values()).hasSize(STREAMS)
						.allSatisfy((stream) -> assertThat(stream).hasSize(ROUNDS * (ROUND + 1)).isSorted());
					assertThat(outcomes(context).retries(queue)).as("attempts that were counted").isZero();
					assertThat(deadLetters(queue)).isEmpty();
				});
		}
	}

	private void breakInTheMiddle(ApplicationContext context, TcpProxy proxy, String queue, int round,
			List<String> received) throws Exception {
		Outbox outbox = context.getBean(Outbox.class);
		CompletableFuture<Void> producer = CompletableFuture
			.runAsync(() -> enqueue(outbox, queue, round * (ROUND + 1), ROUND));
		int before = received.size();
		Await.until("the first messages of a round", () -> {
			received.addAll(this.client.payloads(queue));
			return received.size() > before;
		});
		outcomes(context).postponed = false;
		proxy.cut();
		producer.get(30, TimeUnit.SECONDS);
		enqueue(outbox, queue, round * (ROUND + 1) + ROUND, 1);
		Await.until("messages wait for the broker", () -> outcomes(context).postponed);
		proxy.mend();
	}

	private static void enqueue(Outbox outbox, String queue, int first, int count) {
		for (int i = first; i < first + count; i++) {
			for (int stream = 0; stream < STREAMS; stream++) {
				outbox.enqueue(queue, "stream-" + stream, stream + " " + i);
			}
		}
	}

	private static Map<String, List<Integer>> firstArrivals(List<String> payloads) {
		return new LinkedHashSet<>(payloads).stream()
			.map((payload) -> payload.replace("\"", "").split(" "))
			.collect(Collectors.groupingBy((parts) -> parts[0],
					Collectors.mapping((parts) -> Integer.valueOf(parts[1]), Collectors.toList())));
	}

	@Test
	void givesWayToATransportOfTheApplication() {
		this.runner
			.withBean("mine", RabbitTransport.class,
					() -> new RabbitTransport(new CachingConnectionFactory(), new CloudEvents("/mine"), "mine",
							RabbitSettings.defaults()))
			.withPropertyValues(NO_WORKER)
			.run((context) -> assertThat(context).hasSingleBean(RabbitTransport.class).hasBean("mine"));
	}

	@Test
	void isAbsentWhereRabbitIsNot() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.amqp"))
			.withPropertyValues(NO_WORKER)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RabbitTransport.class));
	}

	@Test
	void isAbsentWhereItIsSwitchedOff() {
		this.runner.withPropertyValues(NO_WORKER, "whizbang.rabbit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(ConnectionFactory.class)
				.doesNotHaveBean(RabbitTransport.class));
	}

	private List<Map<String, Object>> deadLetters(String topic) {
		return this.jdbc.queryForList("select * from whizbang.wh_dead_letters where topic = ?", topic);
	}

	private static Outcomes outcomes(ApplicationContext context) {
		return context.getBean(Outcomes.class);
	}

	/** What became of the messages. */
	static final class Outcomes implements WorkListener {

		private final List<String> retried = Collections.synchronizedList(new ArrayList<>());

		private volatile boolean postponed;

		@Override
		public void ended(Queue queue, Work work, Outcome outcome) {
			if (outcome instanceof Outcome.Retry || outcome instanceof Outcome.Dead) {
				this.retried.add(work.envelope().topic());
			}
			this.postponed |= outcome instanceof Outcome.Postpone;
		}

		int retries(String topic) {
			return Collections.frequency(List.copyOf(this.retried), topic);
		}

	}

}
