package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.outbox.UnroutableTopicException;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;
import io.whizbang.transport.local.SpringEventTransport;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerLifecycle;
import io.whizbang.worker.WorkerSettings;
import io.whizbang.worker.WorkerStatus.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

@PostgresTest
class OutboxAutoConfigurationTests {

	private static final String NO_WORKER = "whizbang.outbox.worker.enabled=false";

	private final ApplicationContextRunner runner;

	OutboxAutoConfigurationTests(PostgresDatabase database) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					JacksonAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@Test
	void deliversToAHandlerOfTheApplication() {
		this.runner.withUserConfiguration(GreetingHandler.class).run((context) -> {
			context.getBean(Outbox.class).enqueue("greetings", "stream", new Greeting("hello"));
			assertThat(context.getBean(GreetingHandler.class).next()).isEqualTo(new Greeting("hello"));
			assertThat(context.getBean(Worker.class).status().state()).isEqualTo(State.RUNNING);
		});
	}

	@Test
	void deliversWhereBeansAreMadeOnDemand() {
		this.runner.withUserConfiguration(GreetingHandler.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				context.getBean(Outbox.class).enqueue("greetings", new Greeting("lazy"));
				assertThat(context.getBean(GreetingHandler.class).next()).isEqualTo(new Greeting("lazy"));
			});
	}

	@Test
	void deliversAsApplicationEventsWhereARouteSaysSo() {
		this.runner.withUserConfiguration(GreetingListener.class)
			.withPropertyValues("whizbang.outbox.routes[events.*]=spring-events")
			.run((context) -> {
				assertThat(context).hasSingleBean(SpringEventTransport.class);
				context.getBean(Outbox.class).enqueue("events.greetings", new Greeting("event"));
				assertThat(context.getBean(GreetingListener.class).next()).isEqualTo(new Greeting("event"));
			});
	}

	@Test
	void letsTransportsUseTheOutbox() {
		this.runner.withUserConfiguration(ForwardingTransport.class, GreetingHandler.class)
			.withPropertyValues("whizbang.outbox.strict-topics=true", "whizbang.outbox.routes[first]=forwarding")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				context.getBean(Outbox.class).enqueue("first", new Greeting("forwarded"));
				assertThat(context.getBean(GreetingHandler.class).next()).isEqualTo(new Greeting("forwarded"));
			});
	}

	@Test
	void refusesTopicsThatNobodyTakesWhenStrict() {
		this.runner.withPropertyValues(NO_WORKER, "whizbang.outbox.strict-topics=true")
			.run((context) -> assertThatExceptionOfType(UnroutableTopicException.class)
				.isThrownBy(() -> context.getBean(Outbox.class).enqueue("nowhere", new Greeting("lost"))));
	}

	@Test
	void enqueuesWithoutAWorker() {
		this.runner.withPropertyValues(NO_WORKER).run((context) -> {
			assertThat(context).hasSingleBean(Outbox.class)
				.hasSingleBean(WorkNotifier.class)
				.hasSingleBean(WorkerLifecycle.class)
				.doesNotHaveBean(Worker.class)
				.doesNotHaveBean(WorkPump.class)
				.doesNotHaveBean(OutboxPublisher.class)
				.doesNotHaveBean(OutboxWorkerConfiguration.EXECUTOR);
			context.getBean(Outbox.class).enqueue("elsewhere", new Greeting("for another instance"));
		});
	}

	@Test
	void doesNothingWhenSwitchedOff() {
		for (String property : List.of("whizbang.enabled=false", "whizbang.outbox.enabled=false")) {
			this.runner.withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed()
					.doesNotHaveBean(Outbox.class)
					.doesNotHaveBean(Worker.class)
					.doesNotHaveBean(OutboxProperties.class)
					.doesNotHaveBean(WorkerLifecycle.class));
		}
	}

	@Test
	void pollsWhenListeningIsSwitchedOff() {
		this.runner.withUserConfiguration(GreetingHandler.class)
			.withPropertyValues("whizbang.listen.enabled=false")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(PostgresListener.class).doesNotHaveBean(WorkNotifier.class);
				context.getBean(Outbox.class).enqueue("greetings", new Greeting("polled"));
				assertThat(context.getBean(GreetingHandler.class).next()).isEqualTo(new Greeting("polled"));
				assertThat(context.getBean(Worker.class).status().listening()).isFalse();
			});
	}

	@Test
	void namesTheInstanceAfterTheApplication() {
		this.runner.withPropertyValues(NO_WORKER, "spring.application.name=shop")
			.run((context) -> assertThat(context.getBean(InstanceInfo.class).serviceName()).isEqualTo("shop"));
		this.runner
			.withPropertyValues(NO_WORKER, "spring.application.name=shop", "whizbang.instance.service-name=orders",
					"whizbang.instance.metadata.zone=a")
			.run((context) -> {
				assertThat(context.getBean(InstanceInfo.class).serviceName()).isEqualTo("orders");
				assertThat(context.getBean(InstanceInfo.class).metadata()).containsEntry("zone", "a");
			});
	}

	@Test
	void leavesTheApplicationItsExecutor() {
		this.runner.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class)).run((context) -> {
			assertThat(context).hasBean("applicationTaskExecutor").hasBean(OutboxWorkerConfiguration.EXECUTOR);
			assertThat(context.getBean(OutboxWorkerConfiguration.EXECUTOR)).isInstanceOf(ThreadPoolTaskExecutor.class);
			assertThat(context.getBeanProvider(Executor.class).getIfUnique())
				.isSameAs(context.getBean("applicationTaskExecutor"));
		});
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void runsOnVirtualThreadsWhereTheApplicationDoes() {
		this.runner.withUserConfiguration(GreetingHandler.class)
			.withPropertyValues("spring.threads.virtual.enabled=true")
			.run((context) -> {
				assertThat(context.getBean(OutboxWorkerConfiguration.EXECUTOR))
					.isInstanceOf(SimpleAsyncTaskExecutor.class);
				context.getBean(Outbox.class).enqueue("greetings", new Greeting("virtual"));
				assertThat(context.getBean(GreetingHandler.class).next()).isEqualTo(new Greeting("virtual"));
			});
	}

	@Test
	void tellsEveryListenerOfTheApplication() {
		BlockingQueue<String> heard = new LinkedBlockingQueue<>();
		this.runner.withBean("one", WorkListener.class, () -> naming("one", heard))
			.withBean("two", WorkListener.class, () -> naming("two", heard))
			.run((context) -> assertThat(List.of(take(heard), take(heard))).containsExactlyInAnyOrder("one", "two"));
	}

	@Test
	void backsOffForEveryBeanOfTheApplication() {
		List<Class<?>> replaceable = List.of(WorkCoordinator.class, CoordinatorSettings.class, InstanceInfo.class,
				MessageCodec.class, MessageObservations.class, OutboxSettings.class, WorkSignal.class, Outbox.class,
				TopicHandlers.class, Destinations.class, OutboxPublisher.class, WorkerSettings.class, WorkPump.class,
				Worker.class, WorkerLifecycle.class, PostgresListener.class, WorkNotifier.class);
		this.runner.run((context) -> {
			for (Class<?> type : replaceable) {
				String name = context.getBeanNamesForType(type)[0];
				assertThat(context.getBeanFactory().getBeanDefinition(name).getFactoryMethodName()).as(type.getName())
					.startsWith("whizbang");
			}
		});
		for (Class<?> type : List.of(WorkCoordinator.class, MessageCodec.class, WorkSignal.class, Outbox.class)) {
			this.runner.withPropertyValues(NO_WORKER).withBean("mine", mocked(type)).run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(type);
				assertThat(context.getBeanNamesForType(type)).containsExactly("mine");
			});
		}
		replacesWith(CoordinatorSettings.class, CoordinatorSettings.defaults());
		replacesWith(InstanceInfo.class, new InstanceInfo("mine", "host", 1, Map.of()));
		replacesWith(MessageObservations.class, MessageObservations.NONE);
		replacesWith(OutboxSettings.class, OutboxSettings.defaults());
		replacesWith(TopicHandlers.class, new TopicHandlers());
	}

	@Test
	void backsOffForTheWorkersBeansOfTheApplication() {
		this.runner.withBean(WorkerSettings.class, () -> WorkerSettings.defaults().withConcurrency(1))
			.withBean(OutboxWorkerConfiguration.EXECUTOR, Executor.class, () -> Runnable::run)
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(WorkerSettings.class).hasSingleBean(Executor.class);
			});
	}

	@Test
	void needsNoActuatorNoMetricsAndNoHikari() {
		this.runner.withUserConfiguration(GreetingHandler.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate",
					"org.springframework.boot.health", "org.springframework.boot.micrometer", "com.zaxxer.hikari"))
			.run((context) -> {
				context.getBean(Outbox.class).enqueue("greetings", new Greeting("lean"));
				assertThat(context.getBean(GreetingHandler.class).next()).isEqualTo(new Greeting("lean"));
			});
	}

	private <T> void replacesWith(Class<T> type, T bean) {
		this.runner.withPropertyValues(NO_WORKER).withBean("mine", type, () -> bean).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeanNamesForType(type)).containsExactly("mine");
		});
	}

	private static Class<?> mocked(Class<?> type) {
		return mock(type).getClass();
	}

	private static WorkListener naming(String name, BlockingQueue<String> heard) {
		return new WorkListener() {

			private boolean told;

			@Override
			public void exchanged(Queue queue, int claimed, Duration took) {
				if (!this.told) {
					this.told = true;
					heard.add(name);
				}
			}

		};
	}

	private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
		T next = queue.poll(30, TimeUnit.SECONDS);
		assertThat(next).as("something arrives within 30 s").isNotNull();
		return next;
	}

	record Greeting(String text) {
	}

	static class Arrivals {

		private final BlockingQueue<Greeting> arrived = new LinkedBlockingQueue<>();

		void arrived(Greeting greeting) {
			this.arrived.add(greeting);
		}

		Greeting next() throws InterruptedException {
			return take(this.arrived);
		}

	}

	static class GreetingHandler extends Arrivals {

		@OutboxHandler("greetings")
		void greet(Greeting greeting) {
			arrived(greeting);
		}

	}

	static class GreetingListener extends Arrivals {

		@EventListener
		void greet(Greeting greeting) {
			arrived(greeting);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ForwardingTransport {

		@Bean
		Transport forwarding(Outbox outbox, MessageCodec codec) {
			return new Transport() {

				@Override
				public String name() {
					return "forwarding";
				}

				@Override
				public List<SendResult> send(List<Envelope> messages) {
					List<SendResult> results = new ArrayList<>();
					for (Envelope message : messages) {
						outbox.enqueue("greetings", codec.read(message.payload(), Greeting.class));
						results.add(SendResult.sent());
					}
					return results;
				}

			};
		}

	}

}
