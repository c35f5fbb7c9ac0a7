package io.whizbang.autoconfigure;

import java.util.stream.Stream;

import javax.sql.DataSource;

import io.whizbang.message.PayloadException;
import io.whizbang.queue.WorkQueue;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What consumers must be: an application with one that is not does not start, and says
 * why.
 */
@PostgresTest
class QueueDefinitionTests {

	private final ApplicationContextRunner runner;

	QueueDefinitionTests(PostgresDatabase database) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class,
					WhizbangAutoConfiguration.class, QueueAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@ParameterizedTest
	@MethodSource("wrong")
	void refusesAConsumerAndSaysWhy(Class<?> bean, String reason) {
		this.runner.withBean(bean).run((context) -> assertThat(context).getFailure().hasStackTraceContaining(reason));
	}

	static Stream<Arguments> wrong() {
		return Stream.of(
				arguments(QueueBeans.NegativeConcurrency.class,
						"NegativeConcurrency.take must have a concurrency from 0 to 9999 but says \"-1\""),
				arguments(QueueBeans.NegativeAttempts.class,
						"NegativeAttempts.take must have maxAttempts of 0 or more but says -1"),
				arguments(QueueBeans.HugeBatch.class,
						"HugeBatch.take must have a batchSize from 0 to 10000 but says 10001"),
				arguments(QueueBeans.NoParameter.class, "NoParameter.take must take the message, or a list of them"),
				arguments(QueueBeans.TwoPayloads.class,
						"TwoPayloads.take has more than one parameter that could be the payload"),
				arguments(QueueBeans.BatchAndPayload.class,
						"BatchAndPayload.take takes a batch; its parameters may be a QueueBatch and a List"),
				arguments(QueueBeans.ListOfAnything.class, "ListOfAnything.take takes a java.util.List<?>; say what"),
				arguments(QueueBeans.SingleQueuedMessage.class, "SingleQueuedMessage.take takes a QueuedMessage"),
				arguments(QueueBeans.Returns.class, "Returns.take must return void"),
				arguments(QueueBeans.NoQueue.class, "NoQueue.take is blank"),
				arguments(QueueBeans.UnknownPlaceholder.class, "nobody.knows"));
	}

	@Test
	void refusesTwoConsumersOfAQueue() {
		this.runner.withBean("one", QueueBeans.Pictures.class)
			.withBean("two", QueueBeans.Pictures.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("has two consumers")
				.hasStackTraceContaining("give each a queue of its own"));
	}

	@Test
	void refusesWhatIsTooLarge() {
		this.runner.withPropertyValues("whizbang.messages.max-payload-size=10B").run((context) -> {
			WorkQueue queue = context.getBean(WorkQueue.class);
			assertThatExceptionOfType(PayloadException.class).isThrownBy(() -> queue.enqueue("big", "0123456789"))
				.withMessageContaining("whizbang.messages.max-payload-size");
			assertThat(queue.dequeueBatch("big")).isEmpty();
		});
	}

}
