package io.whizbang.benchmarks;

import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.InboxProcessor;
import io.whizbang.inbox.InboxSettings;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.JdbcHandledMessages;
import io.whizbang.inbox.JdbcInbox;
import io.whizbang.inbox.Receptor;
import io.whizbang.inbox.Receptors;
import io.whizbang.message.Envelope;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.message.MessageId;
import io.whizbang.observation.MessageObservations;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.QueueWork;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Whizbang's inbox with its default settings, wired as the starter does it, with one
 * receptor that does the business in its transaction.
 */
final class WhizbangInbox implements Contender {

	private static final String SCHEMA = "whizbang";

	private final DataSource dataSource;

	private final Business business;

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final DelayedSignal signal = new DelayedSignal();

	private final Inbox inbox;

	private @Nullable WhizbangWorker worker;

	WhizbangInbox(DataSource dataSource, Business business) {
		this.dataSource = dataSource;
		this.business = business;
		new SchemaInstaller(dataSource, SchemaSettings.of(SCHEMA, SchemaMode.MIGRATE)).install();
		TransactionalStore store = new TransactionalStore(dataSource, new JdbcMessageStore(SCHEMA), Queue.INBOX, true,
				this.signal);
		this.inbox = new JdbcInbox(dataSource, SCHEMA, store, InboxSettings.defaults(), WorkListener.NONE,
				MessageObservations.NONE);
	}

	@Override
	public String name() {
		return "whizbang";
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		load(List.of(payload));
	}

	@Override
	public void load(List<Payload> payloads) {
		this.inbox.receiveAll(payloads.stream().map(this::message).toList());
	}

	private IncomingMessage message(Payload payload) {
		return IncomingMessage.from("kafka:orders", MessageId.next().toString())
			.topic("orders")
			.type(Payload.class.getName())
			.stream(payload.stream())
			.payload(this.mapper.writeValueAsString(payload))
			.build();
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		Receptors receptors = new Receptors();
		receptors.add("business", new BusinessReceptor(this.business, delivered));
		InboxProcessor processor = new InboxProcessor(receptors, new JsonMessageCodec(this.mapper),
				InboxSettings.defaults(), new JdbcTransactionManager(this.dataSource),
				new JdbcHandledMessages(this.dataSource, SCHEMA, false), MessageObservations.NONE, WorkListener.NONE);
		this.worker = WhizbangWorker.start(this.dataSource, SCHEMA,
				new QueueWork(Queue.INBOX, processor, processor, WorkListener.NONE));
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

	/**
	 * What an application would write.
	 *
	 * @param business what it does
	 * @param delivered hears of it
	 */
	private record BusinessReceptor(Business business, Consumer<Payload> delivered) implements Receptor<Payload> {

		@Override
		public void handle(Payload payload, Envelope envelope) {
			this.business.handle(payload);
			this.delivered.accept(payload);
		}

	}

}
