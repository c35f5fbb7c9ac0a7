package io.whizbang.outbox;

import java.lang.reflect.Method;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.work.RetryPolicy;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OutboxHandlerScannerTests {

	private final TopicHandlers handlers = new TopicHandlers();

	private final Envelope envelope = new Envelope(MessageId.next(), "topic", "Type", null, Map.of("a", "b"), "{}",
			Instant.EPOCH);

	@Test
	void findsMethodsAndResolvesTheirArgumentsInAnyOrder() throws Exception {
		try (AnnotationConfigApplicationContext context = scan(Methods.class)) {
			Methods methods = context.getBean(Methods.class);
			handle("payload", new Order("1"));
			handle("all", new Order("2"));
			handle("none", null);
			handle("generic", List.of(new Order("3")));
			assertThat(methods.calls).containsExactly(List.of(new Order("1")),
					List.of(this.envelope.id(), this.envelope.headers(), new Order("2"), this.envelope), List.of(),
					List.of(List.of(new Order("3"))));
			assertThat(this.handlers.find("payload").payloadType()).isEqualTo(Order.class);
			assertThat(this.handlers.find("none").payloadType()).isEqualTo(Void.class);
			assertThat(this.handlers.find("generic").payloadType().getTypeName()).contains("List<").contains("Order");
			assertThat(this.handlers.isComplete()).isTrue();
		}
	}

	@Test
	void takesSeveralTopicsAndPlaceholders() {
		try (AnnotationConfigApplicationContext context = scan(Topics.class)) {
			assertThat(this.handlers.topics()).containsExactlyInAnyOrder("a", "b", "configured");
		}
	}

	@Test
	void tellsWhosePlaceholderHasNoValue() {
		assertThatIllegalStateException().isThrownBy(() -> scan(Unset.class))
			.withMessageContaining("Unset.handle")
			.withMessageContaining("'nowhere.set'")
			.withMessageContaining("default");
	}

	@Test
	void letsTheAnnotationChangeTheRetryPolicy() {
		try (AnnotationConfigApplicationContext context = scan(Retries.class)) {
			RetryPolicy configured = RetryPolicy.defaults().withNeverRetry(Set.of(IllegalStateException.class));
			RetryPolicy policy = this.handlers.find("changed").handler().retryPolicy(configured);
			assertThat(policy.maxAttempts()).isEqualTo(3);
			assertThat(policy.neverRetry()).containsExactlyInAnyOrder(IllegalStateException.class,
					IllegalArgumentException.class);
			assertThat(this.handlers.find("same").handler().retryPolicy(configured)).isSameAs(configured);
		}
	}

	@Test
	void throwsWhatTheMethodThrew() {
		try (AnnotationConfigApplicationContext context = scan(Throwing.class)) {
			assertThatExceptionOfType(java.io.IOException.class).isThrownBy(() -> handle("checked", null));
			assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> handle("error", null));
		}
	}

	@Test
	void callsThroughClassProxies() throws Exception {
		try (AnnotationConfigApplicationContext context = scan(ClassProxied.class)) {
			assertThat(AopUtils.isCglibProxy(context.getBean("target"))).isTrue();
			handle("payload", new Order("1"));
			assertThat(context.getBean("calls")).isEqualTo(List.of("handle"));
		}
	}

	@Test
	void callsThroughInterfaceProxies() throws Exception {
		try (AnnotationConfigApplicationContext context = scan(InterfaceProxied.class)) {
			assertThat(AopUtils.isJdkDynamicProxy(context.getBean("target"))).isTrue();
			handle("payload", new Order("1"));
			assertThat(context.getBean("calls")).isEqualTo(List.of("handle"));
		}
	}

	@Test
	void leavesLazyBeansAloneUntilTheyAreNeeded() throws Exception {
		LazyBeans.created = false;
		try (AnnotationConfigApplicationContext context = scan(LazyBeans.class)) {
			assertThat(LazyBeans.created).isFalse();
			handle("lazy", null);
			assertThat(LazyBeans.created).isTrue();
		}
	}

	@Test
	void findsBeansOfTheInterfaceToo() throws Exception {
		try (AnnotationConfigApplicationContext context = scan(Beans.class)) {
			assertThat(this.handlers.find("bean").payloadType()).isEqualTo(Order.class);
			assertThat(this.handlers.find("function").payloadType()).isEqualTo(Integer.class);
		}
	}

	@Test
	void refusesMethodsThatCannotBeHandlers() {
		refuses(PrivateMethod.class, "PrivateMethod.handle must not be private");
		refuses(StaticMethod.class, "must not be static");
		refuses(ReturningMethod.class, "must return void");
		refuses(AmbiguousMethod.class, "more than one parameter that could be the payload");
		refuses(NoTopic.class, "names no topic");
	}

	@Test
	void refusesTwoHandlersOfOneTopicAndNamesBoth() {
		refuses(Duplicates.class, "Duplicates.first", "Duplicates.second");
	}

	private void refuses(Class<?> beanClass, String... words) {
		assertThatIllegalStateException().isThrownBy(() -> scan(beanClass).close()).withMessageContainingAll(words);
	}

	@SuppressWarnings("unchecked")
	private void handle(String topic, Object payload) throws Exception {
		((TopicHandler<Object>) this.handlers.find(topic).handler()).handle(payload, this.envelope);
	}

	private AnnotationConfigApplicationContext scan(Class<?> beanClass) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("orders.topic", "configured")));
		context.register(beanClass);
		context.registerBean(OutboxHandlerScanner.class,
				() -> new OutboxHandlerScanner(context.getBeanFactory(), this.handlers));
		context.refresh();
		return context;
	}

	record Order(String id) {

	}

	static class Methods {

		final List<List<Object>> calls = new ArrayList<>();

		@OutboxHandler("payload")
		void payload(Order order) {
			this.calls.add(List.of(order));
		}

		@OutboxHandler(topic = "all")
		public void all(MessageId id, Map<String, String> headers, Order order, Envelope envelope) {
			this.calls.add(List.of(id, headers, order, envelope));
		}

		@OutboxHandler(topic = "none")
		protected void none() {
			this.calls.add(List.of());
		}

		@OutboxHandler(topic = "generic")
		void generic(List<Order> orders) {
			this.calls.add(List.of(orders));
		}

	}

	static class Topics {

		@OutboxHandler({ "a", "b", "${orders.topic}" })
		void handle() {
		}

	}

	static class Unset {

		@Bean
		static PropertySourcesPlaceholderConfigurer placeholders() {
			return new PropertySourcesPlaceholderConfigurer();
		}

		@OutboxHandler("${nowhere.set}")
		void handle() {
		}

	}

	static class Retries {

		@OutboxHandler(topic = "changed", maxAttempts = 3, neverRetry = IllegalArgumentException.class)
		void changed() {
		}

		@OutboxHandler("same")
		void same() {
		}

	}

	static class Throwing {

		@OutboxHandler("checked")
		void checked() throws java.io.IOException {
			throw new java.io.IOException();
		}

		@OutboxHandler("error")
		void error() {
			throw new LinkageError();
		}

	}

	interface Handling {

		void handle(Order order);

	}

	static class Target implements Handling {

		@Override
		@OutboxHandler("payload")
		public void handle(Order order) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClassProxied {

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
			proxies.setBeanNames("target");
			proxies.setInterceptorNames("recorder");
			proxies.setProxyTargetClass(true);
			return proxies;
		}

		@Bean
		static List<String> calls() {
			return new ArrayList<>();
		}

		@Bean
		static org.aopalliance.intercept.MethodInterceptor recorder(List<String> calls) {
			return (invocation) -> {
				Method method = invocation.getMethod();
				if (method.getDeclaringClass() != Object.class) {
					calls.add(method.getName());
				}
				return invocation.proceed();
			};
		}

		@Bean
		Target target() {
			return new Target();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InterfaceProxied {

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator proxies = ClassProxied.proxies();
			proxies.setProxyTargetClass(false);
			return proxies;
		}

		@Bean
		static List<String> calls() {
			return new ArrayList<>();
		}

		@Bean
		static org.aopalliance.intercept.MethodInterceptor recorder(List<String> calls) {
			return ClassProxied.recorder(calls);
		}

		@Bean
		Handling target() {
			return new Target();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBeans {

		static boolean created;

		@Bean
		@Lazy
		LazyHandler lazyHandler() {
			created = true;
			return new LazyHandler();
		}

	}

	static class LazyHandler {

		@OutboxHandler("lazy")
		void handle() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		TopicHandler<Order> bean() {
			return new OrderHandler();
		}

		@Bean
		TopicHandler<Integer> function() {
			return TopicHandler.of("function", Integer.class, (payload, envelope) -> {
			});
		}

	}

	static class OrderHandler implements TopicHandler<Order> {

		@Override
		public String topic() {
			return "bean";
		}

		@Override
		public void handle(Order payload, Envelope envelope) {
		}

	}

	static class PrivateMethod {

		@OutboxHandler("a")
		private void handle() {
		}

	}

	static class StaticMethod {

		@OutboxHandler("a")
		static void handle() {
		}

	}

	static class ReturningMethod {

		@OutboxHandler("a")
		String handle() {
			return "";
		}

	}

	static class AmbiguousMethod {

		@OutboxHandler("a")
		void handle(Order order, String other) {
		}

	}

	static class NoTopic {

		@OutboxHandler
		void handle() {
		}

	}

	static class Duplicates {

		@OutboxHandler("a")
		void first() {
		}

		@OutboxHandler("a")
		void second() {
		}

	}

}
