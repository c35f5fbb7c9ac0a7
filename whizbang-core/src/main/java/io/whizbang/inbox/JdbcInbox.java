package io.whizbang.inbox;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.HeaderNames;
import io.whizbang.message.LogText;
import io.whizbang.message.NewMessage;
import io.whizbang.observation.MessageObservations;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Inbox in the application's own database.
 */
public final class JdbcInbox implements Inbox {

	private static final Logger logger = LoggerFactory.getLogger(JdbcInbox.class);

	private final JdbcDeduplication deduplication;

	private final TransactionalStore store;

	private final TransactionTemplate ownTransaction;

	private final long maxPayloadSize;

	private final WorkListener listener;

	private final MessageObservations observations;

	/**
	 * Creates an inbox.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 * @param store where messages of the inbox are kept
	 * @param settings how long it remembers, and what is too large
	 * @param listener hears what arrives
	 * @param observations who observes
	 */
	public JdbcInbox(DataSource dataSource, String schema, TransactionalStore store, InboxSettings settings,
			WorkListener listener, MessageObservations observations) {
		this.deduplication = new JdbcDeduplication(dataSource, schema, settings.retention());
		this.store = store;
		this.maxPayloadSize = settings.maxPayloadSize();
		this.ownTransaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.listener = listener;
		this.observations = observations;
	}

	@Override
	public List<Receipt> receiveAll(Collection<IncomingMessage> messages) {
		if (messages.isEmpty()) {
			return List.of();
		}
		List<IncomingMessage> all = List.copyOf(messages);
		all.forEach((message) -> message.requireSize(this.maxPayloadSize));
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			this.store.requireWritableTransaction();
			return observed(all);
		}
		Supplier<List<Receipt>> receive = () -> observed(all);
		return this.ownTransaction.<List<Receipt>>execute((status) -> receive.get());
	}

	private List<Receipt> observed(List<IncomingMessage> messages) {
		List<Receipt> receipts = new ArrayList<>(messages.size());
		this.observations.enqueue(Queue.INBOX, messages.get(0).topic(), messages.size(),
				(added) -> receipts.addAll(receive(messages, added)));
		return Collections.unmodifiableList(receipts);
	}

	private List<Receipt> receive(List<IncomingMessage> messages, Map<String, String> added) {
		List<byte[]> hashes = messages.stream().map(ContentHash::of).toList();
		Map<Integer, byte[]> known = this.deduplication.receive(messages, hashes);
		List<Receipt> receipts = new ArrayList<>(messages.size());
		List<NewMessage> accepted = new ArrayList<>(messages.size());
		for (int place = 0; place < messages.size(); place++) {
			IncomingMessage message = messages.get(place);
			byte[] knownHash = known.get(place);
			if (knownHash == null) {
				accepted.add(stored(message, added));
				receipts.add(Receipt.ACCEPTED);
			}
			else if (Arrays.equals(knownHash, hashes.get(place))) {
				receipts.add(Receipt.DUPLICATE);
			}
			else {
				warn(message, knownHash, hashes.get(place));
				receipts.add(Receipt.CONFLICT);
			}
		}
		this.store.store(accepted);
		this.listener.received(Queue.INBOX, accepted.size(), Collections.frequency(receipts, Receipt.DUPLICATE),
				Collections.frequency(receipts, Receipt.CONFLICT));
		return receipts;
	}

	private static NewMessage stored(IncomingMessage message, Map<String, String> added) {
		Map<String, String> headers = new HashMap<>(added);
		headers.putAll(message.headers());
		headers.put(HeaderNames.SOURCE, message.source());
		headers.put(HeaderNames.SOURCE_ID, message.id());
		return new NewMessage(message.messageId(), message.topic(), (message.type() != null) ? message.type() : "",
				message.stream(), headers, message.payload(), null, null);
	}

	private static void warn(IncomingMessage message, byte[] known, byte[] now) {
		logger.warn(
				"Message {} from {} to {} is refused: another one with this identity was received before, with "
						+ "content hash {} instead of {}",
				LogText.of(message.id()), LogText.of(message.source()), LogText.of(message.topic()), hex(known),
				hex(now));
	}

	private static String hex(byte[] hash) {
		return HexFormat.of().formatHex(hash);
	}

}
