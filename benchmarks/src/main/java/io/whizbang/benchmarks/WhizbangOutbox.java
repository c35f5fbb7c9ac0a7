package io.whizbang.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcMessageStore;
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
import io.whizbang.transport.Transport;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.QueueWork;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whizbang's outbox with its default settings, wired as the starter does it, with a topic
 * handler in the application or a transport.
 */
final class WhizbangOutbox implements Contender {

	static final String TOPIC = "orders";

	private static final String SCHEMA = "whizbang";

	private final CountingDataSource dataSource;

	private final JsonMessageCodec codec = new JsonMessageCodec(JsonMapper.builder().build());

	private final DelayedSignal signal = new DelayedSignal();

	private final Outbox outbox;

	private @Nullable WhizbangWorker worker;

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
		this.outbox.enqueue(TOPIC, stream, payload);
	}

	@Override
	public void load(List<Payload> payloads) {
		this.outbox.enqueueAll(payloads.stream()
			.map((payload) -> OutboxMessage.to(TOPIC, payload).stream(payload.stream()).build())
			.toList());
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		TopicHandlers handlers = new TopicHandlers();
		handlers.add(TopicHandler.of(TOPIC, Payload.class, (payload, envelope) -> delivered.accept(payload)));
		handlers.complete();
		start(Set.of(), handlers);
	}

	/** Starts to deliver to a transport. */
	void start(Transport transport) {
		start(Set.of(transport), new TopicHandlers());
	}

	private void start(Set<Transport> transports, TopicHandlers handlers) {
		OutboxPublisher publisher = new OutboxPublisher(new Destinations(Map.of(), null, transports, handlers),
				this.codec, OutboxSettings.defaults(), MessageObservations.NONE);
		this.worker = WhizbangWorker.start(this.dataSource, SCHEMA,
				new QueueWork(Queue.OUTBOX, publisher, publisher, WorkListener.NONE));
		this.signal.target = this.worker.signal();
	}

	@Override
	public void stop() {
		if (this.worker != null) {
			this.worker.close();
			this.worker = null;
		}
	}

	@Override
	public void close() {
		stop();
	}

}
