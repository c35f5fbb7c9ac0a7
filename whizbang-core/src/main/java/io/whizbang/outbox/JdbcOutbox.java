package io.whizbang.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.InheritedHeaders;
import io.whizbang.message.MessageCodec;
import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.observation.MessageObservations;
import io.whizbang.work.Queue;

import org.springframework.util.Assert;

/**
 * Outbox in the application's own database.
 */
public final class JdbcOutbox implements Outbox, AutoCloseable {

	private final TransactionalStore store;

	private final MessageCodec codec;

	private final TopicCheck topics;

	private final MessageObservations observations;

	private volatile boolean closed;

	/**
	 * Creates an outbox.
	 * @param store where messages are kept
	 * @param codec how payloads are written
	 * @param topics which topics are accepted
	 * @param observations who observes
	 */
	public JdbcOutbox(TransactionalStore store, MessageCodec codec, TopicCheck topics,
			MessageObservations observations) {
		this.store = store;
		this.codec = codec;
		this.topics = topics;
		this.observations = observations;
	}

	@Override
	public List<MessageId> enqueueAll(Collection<OutboxMessage> messages) {
		Assert.state(!this.closed,
				"The outbox is closed because the application shuts down; enqueue before its beans are destroyed");
		if (messages.isEmpty()) {
			return List.of();
		}
		List<OutboxMessage> all = List.copyOf(messages);
		check(all);
		this.observations.enqueue(Queue.OUTBOX, all.get(0).topic(), all.size(), (added) -> store(all, added));
		List<MessageId> ids = new ArrayList<>(all.size());
		for (OutboxMessage message : all) {
			ids.add(message.id());
		}
		return Collections.unmodifiableList(ids);
	}

	/** Neighbours mostly go to the same topic. */
	private void check(List<OutboxMessage> messages) {
		String last = null;
		for (OutboxMessage message : messages) {
			if (!message.topic().equals(last)) {
				last = message.topic();
				this.topics.check(last);
			}
		}
	}

	private void store(List<OutboxMessage> messages, Map<String, String> added) {
		InheritedHeaders inherited = InheritedHeaders.with(added);
		List<NewMessage> stored = new ArrayList<>(messages.size());
		for (OutboxMessage message : messages) {
			stored.add(new NewMessage(message.id(), message.topic(), message.type(), message.stream(),
					inherited.and(message.headers()), this.codec.write(message.payload()), message.delay(),
					message.notBefore()));
		}
		this.store.store(stored);
	}

	/**
	 * Refuses further messages; those of transactions that are under way are still
	 * stored.
	 */
	@Override
	public void close() {
		this.closed = true;
	}

}
