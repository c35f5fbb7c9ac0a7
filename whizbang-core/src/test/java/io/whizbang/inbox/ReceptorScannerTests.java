package io.whizbang.inbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.work.RetryPolicy;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ReceptorScannerTests {

	@Test
	void typeOfThePayloadChoosesByFullAndBySimpleName() {
		Receptors receptors = scan(Billing.class);
		assertThat(takers(receptors, "any", Placed.class.getName())).containsExactly("billing.on");
		assertThat(takers(receptors, "any", "Placed")).containsExactly("billing.on");
		assertThat(takers(receptors, "any", "Cancelled")).isEmpty();
		assertThat(takers(receptors, "any", "")).isEmpty();
	}

	@Test
	void namedTypesReplaceThatOfThePayload() {
		Receptors receptors = scan(Renamed.class);
		assertThat(takers(receptors, "any", "com.shop.v1.OrderPlaced")).containsExactly("renamed.on");
		assertThat(takers(receptors, "any", "Placed")).isEmpty();
	}

	@Test
	void topicDecidesForMessagesWithoutAType() {
		Receptors receptors = scan(ByTopic.class);
		assertThat(takers(receptors, "orders.eu", "")).containsExactly("audit", "byTopic.on");
		assertThat(takers(receptors, "orders.eu", "Placed")).containsExactly("audit", "byTopic.on");
		assertThat(takers(receptors, "orders.eu", "Cancelled")).containsExactly("audit");
		assertThat(takers(receptors, "mails", "Placed")).isEmpty();
	}

	@Test
	void namesAreToldApartByTheirCase() {
		assertThat(takers(scan(Billing.class), "any", "placed")).isEmpty();
		assertThat(takers(scan(ByTopic.class), "ORDERS.eu", "")).isEmpty();
	}

	@Test
	void annotationSaysTheRest() {
		Subscription subscription = scan(Detailed.class).find(envelope("any", "Placed")).get(0);
		assertThat(subscription.name()).isEqualTo("detailed-name");
		assertThat(subscription.isTransactional()).isFalse();
		assertThat(subscription.timeout()).isEqualTo(Duration.ofSeconds(5));
		RetryPolicy policy = subscription.retryPolicy(RetryPolicy.defaults());
		assertThat(policy.maxAttempts()).isEqualTo(2);
		assertThat(policy.neverRetry()).containsExactly(ArithmeticException.class);
	}

	@Test
	void beansAreReceptorsUnderTheirName() {
		assertThat(takers(scan(PlacedReceptor.class), "any", "Placed")).containsExactly("placedReceptor");
	}

	@Test
	void refusesTwoReceptorsOfOneName() {
		assertThatIllegalStateException().isThrownBy(() -> scan(Overloaded.class))
			.withMessageContaining("Two receptors have the same name")
			.withMessageContaining("overloaded.on");
	}

	@Test
	void refusesReceptorsThatSayNothingAboutTheirMessages() {
		assertThatIllegalStateException().isThrownBy(() -> scan(Greedy.class))
			.withMessageContaining("neither which types nor which topics");
	}

	@Test
	void refusesNonsenseAsTimeout() {
		assertThatIllegalStateException().isThrownBy(() -> scan(Hasty.class)).withMessageContaining("is no duration");
	}

	private static Receptors scan(Class<?>... beans) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("test", Map.of("orders.topic", "orders.*", "billing.timeout", "5s")));
			for (Class<?> bean : beans) {
				context.registerBean(StringUtils.uncapitalize(bean.getSimpleName()), bean);
			}
			context.registerBean(Receptors.class);
			context.registerBean(ReceptorScanner.class,
					() -> new ReceptorScanner(context.getDefaultListableBeanFactory(),
							context.getBean(Receptors.class)));
			context.refresh();
			return context.getBean(Receptors.class);
		}
	}

	private static List<String> takers(Receptors receptors, String topic, String type) {
		return receptors.find(envelope(topic, type)).stream().map(Subscription::name).sorted().toList();
	}

	private static Envelope envelope(String topic, String type) {
		return new Envelope(MessageId.next(), topic, type, null, Map.of(), "{}", Instant.EPOCH);
	}

	record Placed(String name) {
	}

	static class Billing {

		@MessageHandler
		void on(Placed placed, Envelope envelope, Map<String, String> headers) {
		}

	}

	static class Renamed {

		@MessageHandler({ "com.shop.v1.OrderPlaced", "com.shop.v2.OrderPlaced" })
		void on(Placed placed) {
		}

	}

	static class ByTopic {

		@MessageHandler(topic = "${orders.topic}")
		void on(Placed placed) {
		}

		@MessageHandler(topic = "orders.*", name = "audit")
		void any(Map<String, Object> anything) {
		}

	}

	static class Detailed {

		@MessageHandler(name = "detailed-name", transactional = false, timeout = "${billing.timeout}", maxAttempts = 2,
				neverRetry = ArithmeticException.class)
		void on(Placed placed) {
		}

	}

	static class PlacedReceptor implements Receptor<Placed> {

		@Override
		public void handle(Placed payload, Envelope envelope) {
		}

	}

	static class Overloaded {

		@MessageHandler
		void on(Placed placed) {
		}

		@MessageHandler(topic = "orders")
		void on(Map<String, Object> anything) {
		}

	}

	static class Greedy {

		@MessageHandler
		void on(Object anything) {
		}

	}

	static class Hasty {

		@MessageHandler(timeout = "soon")
		void on(Placed placed) {
		}

	}

}
