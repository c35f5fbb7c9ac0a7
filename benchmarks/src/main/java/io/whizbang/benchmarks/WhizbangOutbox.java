package io.whizbang.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.JdbcOutbox;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.LocalSignal;
import io.whizbang.worker.Membership;
import io.whizbang.worker.QueueWork;
import io.whizbang.worker.WorkPump;
import io.whizbang.worker.Worker;
import io.whizbang.worker.WorkerLifecycle;
import io.whizbang.worker.WorkerSettings;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whizbang's outbox with its default settings, wired as the starter does it, with a topic
 * handler in the application.
 */
final class WhizbangOutbox implements Contender {

	private static final String SCHEMA = "whizbang";

	private final CountingDataSource dataSource;

	private final JsonMessageCodec codec = new JsonMessageCodec(JsonMapper.builder().build());

	private final DelayedSignal signal = new DelayedSignal();

	private final Outbox outbox;

	private @Nullable WorkerLifecycle lifecycle;

	private @Nullable ExecutorService executor;

	WhizbangOutbox(DataSource dataSource) {
		this.dataSource = new CountingDataSource(dataSource);
		new SchemaInstaller(dataSource, SchemaSettings.of(SCHEMA, SchemaMode.MIGRATE)).install();
		TransactionalStore store = new TransactionalStore(dataSource, new JdbcMessageStore(SCHEMA), Queue.OUTBOX, true,
				this.signal);
		this.outbox = new JdbcOutbox(store, this.codec, TopicCheck.NONE, MessageObservations.NONE);
	}

	long connectionsUsed() {
		return this.dataSource.count();
	}

	@Override
	public String name() {
		return "whizbang";
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		this.outbox.enqueue("orders", stream, payload);
	}

	@Override
	public void load(List<Payload> payloads) {
		this.outbox.enqueueAll(payloads.stream()
			.map((payload) -> OutboxMessage.to("orders", payload).stream(payload.stream()).build())
			.toList());
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		TopicHandlers handlers = new TopicHandlers();
		handlers.add(TopicHandler.of("orders", Payload.class, (payload, envelope) -> delivered.accept(payload)));
		handlers.complete();
		OutboxPublisher publisher = new OutboxPublisher(new Destinations(Map.of(), null, Set.of(), handlers),
				this.codec, OutboxSettings.defaults(), MessageObservations.NONE);
		CoordinatorSettings rules = CoordinatorSettings.defaults();
		WorkerSettings settings = WorkerSettings.defaults();
		this.executor = Executors.newFixedThreadPool(settings.concurrency() + 1);
		Membership membership = new Membership(new JdbcWorkCoordinator(this.dataSource, SCHEMA, rules), rules,
				new InstanceInfo("benchmark", "localhost", ProcessHandle.current().pid(), Map.of()), Queue.OUTBOX);
		WorkPump pump = new WorkPump(new QueueWork(Queue.OUTBOX, publisher, publisher, WorkListener.NONE), membership,
				settings, this.executor, () -> true);
		this.signal.target = new LocalSignal(List.of(pump), rules.partitions(), null);
		this.lifecycle = new WorkerLifecycle(List.of(new Worker(pump)), null, null);
		this.lifecycle.start();
	}

	@Override
	public void stop() {
		if (this.lifecycle != null) {
			this.lifecycle.stop();
			this.lifecycle = null;
		}
		if (this.executor != null) {
			this.executor.shutdown();
			this.executor = null;
		}
	}

	@Override
	public void close() {
		stop();
	}

}
