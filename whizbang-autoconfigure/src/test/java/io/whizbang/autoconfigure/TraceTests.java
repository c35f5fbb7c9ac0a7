package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
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
import io.whizbang.event.EventStore;
import io.whizbang.event.EventType;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.job.Jobs;
import io.whizbang.job.WhizbangJob;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.perspective.On;
import io.whizbang.perspective.Perspective;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.timer.OnTimer;
import io.whizbang.timer.Timers;
import io.whizbang.transport.kafka.KafkaBroker;
import org.junit.jupiter.api.Test;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One trace has what was done where a message was enqueued, its delivery to a broker, its
 * handling in another application, and what becomes of the messages that its handler
 * enqueues. Jobs and perspectives begin traces of their own.
 */
@PostgresTest
class TraceTests {

	private final PostgresDatabase database;

	TraceTests(PostgresDatabase database) {
		this.database = database;
	}

	@Test
	void oneTraceLeadsFromTheRequestOverABrokerToWhatItsHandlerEnqueues() throws InterruptedException {
		String topic = KafkaBroker.newTopic(1);
		String broker = "spring.kafka.bootstrap-servers=" + KafkaBroker.address();
		try (ConfigurableApplicationContext shop = start(Shop.class, "shop", broker,
				"whizbang.outbox.routes.orders=kafka", "whizbang.kafka.topics.orders=" + topic);
				ConfigurableApplicationContext billing = start(Billing.class, "billing", broker,
						"whizbang.inbox.kafka.listeners[0].topics=" + topic)) {
			follow(shop, "orders", billing, topic);
		}
	}

	@Test
	void oneTraceLeadsThroughTheInboxOfInstancesThatShareADatabase() throws InterruptedException {
		try (ConfigurableApplicationContext shop = start(Shop.class, "shared", "whizbang.outbox.routes.orders=inbox",
				"whizbang.outbox.worker.enabled=false", "whizbang.inbox.worker.enabled=false");
				ConfigurableApplicationContext billing = start(Billing.class, "shared",
						"whizbang.outbox.routes.orders=inbox")) {
			follow(shop, "orders", billing, "orders");
			assertThat(spans(shop)).doesNotContainKeys("deliver orders", "handle orders");
		}
	}

	@Test
	void aTimerFiresInTheTraceOfWhoeverHasScheduledIt() throws InterruptedException {
		try (ConfigurableApplicationContext billing = start(Billing.class, "timers")) {
			Observation request = Observation.start("place order", billing.getBean(ObservationRegistry.class));
			request.scoped(() -> billing.getBean(Timers.class).schedule("reminders", "an order", Duration.ZERO));
			request.stop();
			awaitMail(billing);

			Await.untilAsserted(() -> {
				Map<String, SpanData> spans = spans(billing);
				assertThat(spans).containsKeys("enqueue reminders", "deliver reminders", "enqueue mails",
						"deliver mails");
				assertOneTrace(spans.get("place order"), spans.get("deliver reminders"), spans.get("enqueue mails"),
						spans.get("deliver mails"));
				assertChild(spans.get("deliver reminders"), spans.get("enqueue reminders"));
				assertChild(spans.get("enqueue mails"), spans.get("deliver reminders"));
			});
		}
	}

	@Test
	void whatAJobEnqueuesBelongsToTheTraceOfItsRun() throws InterruptedException {
		try (ConfigurableApplicationContext billing = start(Billing.class, "jobs")) {
			billing.getBean(Jobs.class).triggerNow("statements");
			awaitMail(billing);

			Await.untilAsserted(() -> {
				Map<String, SpanData> spans = spans(billing);
				assertThat(spans).containsKeys("run statements", "enqueue mails", "deliver mails");
				assertOneTrace(spans.get("run statements"), spans.get("enqueue mails"), spans.get("deliver mails"));
				assertChild(spans.get("enqueue mails"), spans.get("run statements"));
			});
		}
	}

	@Test
	void whatAPerspectiveEnqueuesBelongsToTheTraceOfThePage() throws InterruptedException {
		try (ConfigurableApplicationContext billing = start(Billing.class, "perspectives")) {
			billing.getBean(EventStore.class).append("A", ExpectedVersion.any(), new OrderPaid("an order"));
			awaitMail(billing);

			Await.untilAsserted(() -> {
				Map<String, SpanData> spans = spans(billing);
				assertThat(spans).containsKeys("apply payments", "enqueue mails", "deliver mails");
				assertOneTrace(spans.get("apply payments"), spans.get("enqueue mails"), spans.get("deliver mails"));
				assertChild(spans.get("enqueue mails"), spans.get("apply payments"));
			});
		}
	}

	/** From a request in one application to a mail of another. */
	static void follow(ConfigurableApplicationContext shop, String sent, ConfigurableApplicationContext billing,
			String received) throws InterruptedException {
		Observation request = Observation.start("place order", shop.getBean(ObservationRegistry.class));
		request.scoped(() -> shop.getBean(Outbox.class).enqueue(sent, "A", "an order"));
		request.stop();
		awaitMail(billing);

		Await.untilAsserted(() -> {
			Map<String, SpanData> spans = new HashMap<>(spans(billing));
			spans.putAll(spans(shop));
			assertThat(spans).containsKeys("place order", "enqueue " + sent, "deliver " + sent, "handle " + received,
					"enqueue mails", "deliver mails");
			SpanData enqueue = spans.get("enqueue " + sent);
			SpanData handle = spans.get("handle " + received);
			assertOneTrace(spans.get("place order"), enqueue, spans.get("deliver " + sent), handle,
					spans.get("enqueue mails"), spans.get("deliver mails"));
			assertThat(enqueue.getKind()).isEqualTo(SpanKind.PRODUCER);
			assertChild(enqueue, spans.get("place order"));
			assertChild(spans.get("deliver " + sent), enqueue);
			assertChild(spans.get("enqueue mails"), handle);
			assertChild(spans.get("deliver mails"), spans.get("enqueue mails"));
		});
	}

	private static void awaitMail(ConfigurableApplicationContext billing) throws InterruptedException {
		assertThat(billing.getBean(Billing.class).mailed.await(30, TimeUnit.SECONDS)).isTrue();
	}

	private static void assertOneTrace(SpanData first, SpanData... others) {
		assertThat(others).extracting(SpanData::getTraceId).containsOnly(first.getTraceId());
	}

	private static void assertChild(SpanData child, SpanData parent) {
		assertThat(child.getParentSpanId()).isEqualTo(parent.getSpanId());
	}

	private static Map<String, SpanData> spans(ConfigurableApplicationContext application) {
		return application.getBean(InMemorySpanExporter.class)
			.getFinishedSpanItems()
			.stream()
			.collect(Collectors.toMap(SpanData::getName, Function.identity(), (first, second) -> first));
	}

	private ConfigurableApplicationContext start(Class<?> application, String name, String... properties) {
		return start(this.database, application, name, properties);
	}

	/** Two applications with schemas of their own know nothing of each other. */
	static ConfigurableApplicationContext start(PostgresDatabase database, Class<?> application, String name,
			String... properties) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("spring.application.name=" + name, "whizbang.schema.name=" + name,
					"spring.datasource.url=" + database.jdbcUrl(),
					"spring.datasource.username=" + database.server().username(),
					"spring.datasource.password=" + database.server().password(), "spring.liquibase.enabled=false",
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
	@Import(Payments.class)
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

		@OnTimer("reminders")
		void remind(String order) {
			this.outbox.enqueue("mails", "A", "a reminder of " + order);
		}

		@WhizbangJob(name = "statements", cron = "@yearly")
		void state() {
			this.outbox.enqueue("mails", "A", "a statement");
		}

		@OutboxHandler("mails")
		void mail(String text) {
			this.mailed.countDown();
		}

	}

	@Perspective(name = "payments")
	static class Payments {

		private final Outbox outbox;

		Payments(Outbox outbox) {
			this.outbox = outbox;
		}

		@On
		void paid(OrderPaid event) {
			this.outbox.enqueue("mails", "A", "a receipt for " + event.order());
		}

	}

	@EventType("order-paid")
	record OrderPaid(String order) {
	}

}
