package io.whizbang.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.QueueBeans.Guarded;
import io.whizbang.autoconfigure.QueueBeans.Pictures;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetters;
import io.whizbang.letter.Operator;
import io.whizbang.queue.QueueLifecycle;
import io.whizbang.queue.QueueMessage;
import io.whizbang.queue.QueueSettings;
import io.whizbang.queue.QueueWorker;
import io.whizbang.queue.Queues;
import io.whizbang.queue.WorkQueue;
import io.whizbang.test.Await;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WithManualWorker;
import io.whizbang.work.Queue;
import io.whizbang.worker.PostgresListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Work queues as an application has them: G2 (dead letters go back to their queue), G3
 * (order of a key) and G6 (transactional consumers) end to end.
 */
@PostgresTest
class QueueAutoConfigurationTests {

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	QueueAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class,
					DeadLettersAutoConfiguration.class, QueueAutoConfiguration.class))
			.withPropertyValues("spring.application.name=pictures", "whizbang.queues.retry.first-delay=1ms",
					"pictures.concurrency=2")
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@BeforeEach
	void forget() {
		this.database.jdbc().execute("create table if not exists resized (picture text)");
		this.database.jdbc().execute("truncate resized");
	}

	@Test
	void consumersGetMessagesOneByOneOrAllOfAKey() {
		this.runner.withBean(Pictures.class).run((context) -> {
			Pictures pictures = context.getBean(Pictures.class);
			WorkQueue queue = context.getBean(WorkQueue.class);
			queue.enqueueAll(List.of(message("single", "a", 1), message("single", "a", 2), message("together", "a", 1),
					message("together", "a", 2), message("together", "b", 3)));
			Await.until("all messages", () -> pictures.seen.size() == 4);
			assertThat(pictures.seen).filteredOn((seen) -> seen.startsWith("single"))
				.containsExactly("single 1 of a for north", "single 2 of a for north");
			assertThat(pictures.seen).filteredOn((seen) -> seen.startsWith("together"))
				.containsExactlyInAnyOrder("together [1, 2]", "together [3]");
			Await.until("nothing is left", () -> left() == 0);
		});
	}

	@Test
	void asManyKeysAreUnderWayAsTheConsumerSays() {
		this.runner.withBean(Pictures.class).run((context) -> {
			Pictures pictures = context.getBean(Pictures.class);
			context.getBean(WorkQueue.class)
				.enqueueAll(List.of(message("slow", "a", 1), message("slow", "b", 2), message("slow", "c", 3)));
			Await.until("two of them", () -> pictures.running.get() == 2);
			assertThat(context.getBean(QueueWorker.class).running()).containsEntry("slow", 2);
			assertThat(context.getBean(Queues.class).keys("slow", 10)).hasSize(2)
				.allSatisfy((key) -> assertThat(key.locked()).isTrue());
			pictures.goOn.countDown();
			Await.until("the third one", () -> pictures.seen.size() == 3);
			assertThat(pictures.most.get()).isEqualTo(2);
		});
	}

	@Test
	void effectsOfATransactionalConsumerHappenOnceAndThoseOfOthersAtLeastOnce() {
		this.runner.withBean(Guarded.class).run((context) -> {
			Guarded guarded = context.getBean(Guarded.class);
			context.getBean(WorkQueue.class).enqueue("exact", "a", "exact");
			context.getBean(WorkQueue.class).enqueue("loose", "a", "loose");
			Await.until("both are done", () -> guarded.calls.get() == 4 && left() == 0);
			assertThat(this.database.jdbc().queryForList("select picture from resized order by picture", String.class))
				.containsExactly("exact", "loose", "loose");
		});
	}

	@Test
	void deadLettersGoBackToTheirQueueAndKey() {
		this.runner.withBean(Pictures.class).run((context) -> {
			Pictures pictures = context.getBean(Pictures.class);
			DeadLetters letters = context.getBean(DeadLetters.class);
			DeadLetterFilter ours = DeadLetterFilter.ALL.queue(Queue.QUEUES).topic("single");
			pictures.broken = true;
			context.getBean(WorkQueue.class).enqueue(message("single", "a", 1));
			Await.until("its death", () -> letters.list(ours, null, 10).letters().size() == 1);
			assertThat(context.getBean(Queues.class).find("single").orElseThrow().deadLetters()).isEqualTo(1);
			pictures.broken = false;
			assertThat(letters.replayAll(ours, Operator.named("ada"))).isEqualTo(1);
			Await.until("it is consumed", () -> !pictures.seen.isEmpty());
			assertThat(pictures.seen).containsExactly("single 1 of a for north");
			assertThat(letters.list(ours, null, 10).letters()).isEmpty();
		});
	}

	@Test
	void anotherInstanceHearsAtOnceOfMessagesAndOfResumedQueues() {
		ApplicationContextRunner patient = this.runner.withPropertyValues("whizbang.queues.worker.max-poll-interval=1h",
				"whizbang.queues.worker.listening-poll-interval=1h");
		patient.withBean(Pictures.class).run((context) -> {
			Pictures pictures = context.getBean(Pictures.class);
			Await.until("it listens", () -> context.getBean(PostgresListener.class).healthy());
			patient.run((other) -> {
				other.getBean(WorkQueue.class).enqueue(message("single", "a", 1));
				Await.until("the first message", () -> pictures.seen.size() == 1);
				other.getBean(Queues.class).pause("single", "ada");
				other.getBean(WorkQueue.class).enqueue(message("single", "a", 2));
				other.getBean(WorkQueue.class).enqueue(message("together", "a", 3));
				Await.until("what is not paused", () -> pictures.seen.contains("together [3]"));
				assertThat(pictures.seen).hasSize(2);
				other.getBean(Queues.class).resume("single");
				Await.until("what was paused", () -> pictures.seen.size() == 3);
			});
		});
	}

	@Test
	void consumersAreLeftToOthersWhereTheWorkerIsSwitchedOff() {
		this.runner.withBean(Pictures.class)
			.withPropertyValues("whizbang.queues.worker.enabled=false")
			.run((context) -> {
				assertThat(context).hasSingleBean(WorkQueue.class).doesNotHaveBean(QueueLifecycle.class);
				context.getBean(WorkQueue.class).enqueue(message("single", "z", 1));
				assertThat(context.getBean(WorkQueue.class).dequeueBatch("single")).hasValueSatisfying((batch) -> {
					assertThat(batch.key()).isEqualTo("z");
					context.getBean(WorkQueue.class).ack(batch);
				});
				assertThat(context.getBean(Pictures.class).seen).isEmpty();
			});
	}

	@Test
	void areSwitchedOffAsAWholeOrWithWhizbang() {
		for (String property : List.of("whizbang.queues.enabled", "whizbang.enabled")) {
			this.runner.withPropertyValues(property + "=false")
				.run((context) -> assertThat(context).hasNotFailed()
					.doesNotHaveBean(WorkQueue.class)
					.doesNotHaveBean(Queues.class)
					.doesNotHaveBean(QueueWorker.class));
		}
	}

	@Test
	void beansOfTheApplicationTakeTheirPlace() {
		WorkQueue queue = mock(WorkQueue.class);
		Queues queues = mock(Queues.class);
		QueueSettings settings = QueueSettings.defaults().withBatch(10, 1000);
		this.runner.withBean(WorkQueue.class, () -> queue)
			.withBean(Queues.class, () -> queues)
			.withBean(QueueSettings.class, () -> settings)
			.run((context) -> {
				assertThat(context).getBean(WorkQueue.class).isSameAs(queue);
				assertThat(context).getBean(Queues.class).isSameAs(queues);
				assertThat(context).getBean(QueueSettings.class).isSameAs(settings);
			});
	}

	@Test
	void aTestConsumesByHand() {
		this.runner.withUserConfiguration(ByHand.class).withBean(Pictures.class).run((context) -> {
			Pictures pictures = context.getBean(Pictures.class);
			context.getBean(WorkQueue.class).enqueue(message("single", "a", 1));
			assertThat(pictures.seen).isEmpty();
			context.getBean(ManualWorker.class).runUntilIdle();
			assertThat(pictures.seen).containsExactly("single 1 of a for north");
		});
	}

	private static QueueMessage message(String queue, String key, int picture) {
		return QueueMessage.to(queue, new QueueBeans.Picture(picture)).key(key).header("tenant", "north").build();
	}

	private int left() {
		Integer left = this.database.jdbc()
			.queryForObject("select count(*) from whizbang.wh_queue_messages", Integer.class);
		return (left != null) ? left : -1;
	}

	@Configuration(proxyBeanMethods = false)
	@WithManualWorker
	static class ByHand {

	}

}
