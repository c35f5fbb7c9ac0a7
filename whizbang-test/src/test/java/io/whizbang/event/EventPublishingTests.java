package io.whizbang.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.event.EventFixture.Paid;
import io.whizbang.event.EventFixture.Placed;
import io.whizbang.message.Envelope;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.RecordingTransport;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.QueueWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@PostgresTest
class EventPublishingTests {

	private final EventStore store;

	private final RecordingTransport transport = new RecordingTransport();

	private final ManualWorker worker;

	private final TransactionTemplate transaction;

	private final TransactionTemplate nested;

	EventPublishingTests(PostgresDatabase database) {
		DataSource dataSource = database.dataSource();
		this.store = new EventFixture(database, dataSource)
			.publishing(EventTopics.of(Map.of("order-*", "orders", "order-paid", "payments")));
		OutboxPublisher publisher = new OutboxPublisher(
				new Destinations(Map.of(), null, List.of(this.transport), new TopicHandlers()), EventFixture.JSON,
				OutboxSettings.defaults(), MessageObservations.NONE);
		CoordinatorSettings rules = CoordinatorSettings.defaults();
		this.worker = new ManualWorker(new QueueWork(Queue.OUTBOX, publisher, publisher, WorkListener.NONE),
				new JdbcWorkCoordinator(dataSource, EventFixture.SCHEMA, rules), rules);
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		this.transaction = new TransactionTemplate(manager);
		this.nested = new TransactionTemplate(manager);
		this.nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
	}

	@AfterEach
	void close() {
		this.worker.close();
	}

	@Test
	void sendsTheEventWithItsNamesAndMetadata() {
		MessageId id = MessageId.next();
		this.store.append("A", ExpectedVersion.none(),
				NewEvent.of(Placed.of(10))
					.withId(id)
					.with(EventMetadata.ofUser("ada")
						.with(HeaderNames.CORRELATION_ID, "c-1")
						.with(HeaderNames.TRACE_PARENT, "00-old-span-01")));
		this.worker.runUntilIdle();
		assertThat(this.transport.sent()).singleElement().satisfies((message) -> {
			assertThat(message.id()).isEqualTo(id);
			assertThat(message.topic()).isEqualTo("orders");
			assertThat(message.type()).isEqualTo("order-placed");
			assertThat(message.payload()).isEqualTo("{\"order\":\"A-1\",\"total\":10}");
			assertThat(message.stream()).isEqualTo(StreamId.of("A"));
			assertThat(message.headers()).isEqualTo(Map.of("user", "ada", HeaderNames.CORRELATION_ID, "c-1",
					HeaderNames.EVENT_VERSION, "1", HeaderNames.EVENT_TYPE_VERSION, "1"));
		});
	}

	@Test
	void sendsOnlyEventsThatHaveATopic() {
		this.store.append("A", ExpectedVersion.none(), Placed.of(10), new EventFixture.Broken(1), new Paid(10));
		this.worker.runUntilIdle();
		assertThat(this.transport.sent()).extracting(Envelope::topic).containsExactly("orders", "payments");
		assertThat(this.transport.sent()).extracting((message) -> message.header(HeaderNames.EVENT_VERSION))
			.containsExactly("1", "3");
	}

	@Test
	void sendsNothingOfWhatIsRolledBack() {
		this.store.append("A", ExpectedVersion.none(), new Paid(1));
		this.transaction.executeWithoutResult((status) -> {
			this.store.append("A", ExpectedVersion.exactly(1), new Paid(2));
			assertThatExceptionOfType(OptimisticConcurrencyException.class)
				.isThrownBy(() -> this.store.append("A", ExpectedVersion.exactly(1), new Paid(-1)));
			this.nested.executeWithoutResult((inner) -> {
				this.store.append("A", ExpectedVersion.exactly(2), new Paid(-2));
				inner.setRollbackOnly();
			});
			this.store.append("A", ExpectedVersion.exactly(2), new Paid(3));
		});
		this.transaction.executeWithoutResult((status) -> {
			this.store.append("A", ExpectedVersion.exactly(3), new Paid(-3));
			status.setRollbackOnly();
		});
		this.worker.runUntilIdle();
		assertThat(this.transport.sent()).extracting(Envelope::payload)
			.containsExactly("{\"amount\":1}", "{\"amount\":2}", "{\"amount\":3}");
	}

	@Test
	void sendsTheEventsOfAStreamInTheOrderOfTheirVersions() throws Exception {
		int threads = 8;
		int each = 20;
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<?>> running = new ArrayList<>();
			for (int thread = 0; thread < threads; thread++) {
				Callable<Void> task = () -> {
					for (int i = 0; i < each; i++) {
						String stream = "stream " + i % 3;
						this.transaction.executeWithoutResult((status) -> {
							this.store.append(stream, ExpectedVersion.any(), new Paid(1), new Paid(2));
							Thread.yield();
							this.store.append(stream, ExpectedVersion.any(), new Paid(3));
						});
					}
					return null;
				};
				running.add(executor.submit(task));
			}
			for (Future<?> future : running) {
				future.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			executor.shutdownNow();
		}
		this.worker.runUntilIdle();
		Map<String, List<Long>> versions = this.transport.sent()
			.stream()
			.collect(Collectors.groupingBy((message) -> String.valueOf(message.stream()), Collectors
				.mapping((message) -> Long.valueOf(message.header(HeaderNames.EVENT_VERSION)), Collectors.toList())));
		assertThat(versions).hasSize(3)
			.allSatisfy((stream, sent) -> assertThat(sent)
				.isEqualTo(LongStream.rangeClosed(1, sent.size()).boxed().toList()));
		assertThat(this.transport.sent()).hasSize(threads * each * 3);
	}

}
