package io.whizbang.autoconfigure;

import java.util.List;

import io.whizbang.event.StoredEvent;
import io.whizbang.lease.Leased;
import io.whizbang.message.Envelope;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.perspective.Interest;
import io.whizbang.perspective.PerspectiveHandler;
import io.whizbang.perspective.PerspectiveRun;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a native image must know of handlers that are beans.
 */
class HandlerBeanAotProcessorTests {

	@Test
	void whatHandlersReadPayloadsAsIsTakenAlong() throws Exception {
		RuntimeHints hints = hints(Handlers.class);
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(Order.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Item.class)).accepts(hints);
	}

	@Test
	void methodsUnderALeaseAreTakenAlong() throws Exception {
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Reports.class, "write"))
			.accepts(hints(Reports.class));
	}

	@Test
	void whetherAPerspectiveTakesManyEventsAtOnceIsTakenAlong() throws Exception {
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Ledger.class, "applyAll"))
			.accepts(hints(Books.class));
	}

	private static RuntimeHints hints(Class<?> configuration) {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(configuration)), new InMemoryGeneratedFiles());
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(configuration);
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		return generation.getRuntimeHints();
	}

	record Order(Item item) {
	}

	record Item(String sku) {
	}

	static class Reports {

		@Leased("report")
		void write() {
		}

	}

	static class Ledger implements PerspectiveHandler {

		@Override
		public String name() {
			return "ledger";
		}

		@Override
		public Interest interest() {
			return Interest.everything();
		}

		@Override
		public void apply(StoredEvent event, PerspectiveRun run) {
		}

		@Override
		public void applyAll(List<StoredEvent> events, PerspectiveRun run) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Books {

		@Bean
		Ledger ledger() {
			return new Ledger();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		TopicHandler<Order> orders() {
			return new TopicHandler<>() {

				@Override
				public String topic() {
					return "orders";
				}

				@Override
				public Class<Order> payloadType() {
					return Order.class;
				}

				@Override
				public void handle(Order order, Envelope envelope) {
				}
			};
		}

	}

}
