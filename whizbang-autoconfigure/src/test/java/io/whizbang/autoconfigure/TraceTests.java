package io.whizbang.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.transport.kafka.KafkaBroker;
import org.junit.jupiter.api.Test;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One trace has what was done where a message was enqueued, its delivery to a broker, its
 * handling in another application, and what becomes of the messages that its handler
 * enqueues.
 */
@PostgresTest
class TraceTests {

	private final PostgresDatabase database;

	private final String topic = KafkaBroker.newTopic(1);

	TraceTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void oneTraceLeadsFromTheRequestOverABrokerToWhatItsHandlerEnqueues() throws InterruptedException {
		try (ConfigurableApplicationContext shop = start(Shop.class, "shop", "whizbang.outbox.routes.orders=kafka",
				"whizbang.kafka.topics.orders=" + this.topic);
				ConfigurableApplicationContext billing = start(Billing.class, "billing",
						"whizbang.inbox.kafka.listeners[0].topics=" + this.topic)) {
			Observation request = Observation.start("place order", shop.getBean(ObservationRegistry.class));
			request.scoped(() -> shop.getBean(Outbox.class).enqueue("orders", "A", "an order"));
			request.stop();
			assertThat(billing.getBean(Billing.class).mailed.await(30, TimeUnit.SECONDS)).isTrue();

			Await.untilAsserted(() -> {
				Map<String, SpanData> sent = spans(shop);
				Map<String, SpanData> received = spans(billing);
				SpanData enqueue = sent.get("enqueue orders");
				assertThat(sent).containsKeys("place order", "enqueue orders", "deliver orders");
				assertThat(received).containsKeys("handle " + this.topic, "enqueue mails", "deliver mails");
				assertThat(List.of(sent.get("deliver orders"), received.get("handle " + this.topic),
						received.get("enqueue mails"), received.get("deliver mails")))
					.extracting(SpanData::getTraceId)
					.containsOnly(sent.get("place order").getTraceId());
				assertThat(enqueue.getParentSpanId()).isEqualTo(sent.get("place order").getSpanId());
				assertThat(enqueue.getKind()).isEqualTo(SpanKind.PRODUCER);
				assertThat(sent.get("deliver orders").getParentSpanId()).isEqualTo(enqueue.getSpanId());
				assertThat(received.get("enqueue mails").getParentSpanId())
					.isEqualTo(received.get("handle " + this.topic).getSpanId());
				assertThat(received.get("deliver mails").getParentSpanId())
					.isEqualTo(received.get("enqueue mails").getSpanId());
			});
		}
	}

	private static Map<String, SpanData> spans(ConfigurableApplicationContext application) {
		return application.getBean(InMemorySpanExporter.class)
			.getFinishedSpanItems()
			.stream()
			.collect(Collectors.toMap(SpanData::getName, Function.identity(), (first, second) -> first));
	}

	/** Two applications with schemas of their own know nothing of each other. */
	private ConfigurableApplicationContext start(Class<?> application, String name, String... properties) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("spring.application.name=" + name, "whizbang.schema.name=" + name,
					"spring.datasource.url=" + this.database.jdbcUrl(),
					"spring.datasource.username=" + this.database.server().username(),
					"spring.datasource.password=" + this.database.server().password(),
					"spring.kafka.bootstrap-servers=" + KafkaBroker.address(), "spring.liquibase.enabled=false",
					"spring.flyway.enabled=false", "management.tracing.sampling.probability=1.0")
			.properties(properties)
			.run();
	}

	static class Tracing {

		@Bean
		static InMemorySpanExporter spanExporter() {
			return InMemorySpanExporter.create();
		}

		@Bean
		static SpanProcessor spanProcessor(InMemorySpanExporter exporter) {
			return SimpleSpanProcessor.create(exporter);
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop extends Tracing {

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Billing extends Tracing {

		final CountDownLatch mailed = new CountDownLatch(1);

		private final Outbox outbox;

		Billing(Outbox outbox) {
			this.outbox = outbox;
		}

		@MessageHandler(topic = "*")
		void bill(String order) {
			this.outbox.enqueue("mails", "A", "a bill for " + order);
		}

		@OutboxHandler("mails")
		void mail(String text) {
			this.mailed.countDown();
		}

	}

}
