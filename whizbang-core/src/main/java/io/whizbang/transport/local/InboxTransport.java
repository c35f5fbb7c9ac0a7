package io.whizbang.transport.local;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.whizbang.message.Envelope;
import io.whizbang.transport.Arrival;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.EventDefaults;
import io.whizbang.transport.Intake;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;

import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Hands messages over to the application's own inbox, which knows them by their identity
 * and so takes each of them once. They arrive as they would over a broker: a topic can
 * move to one, and its handlers need not know.
 */
public final class InboxTransport implements Transport {

	/** Name that routes refer to. */
	public static final String NAME = "inbox";

	private static final String SOURCE_PREFIX = "outbox:";

	private final Intake intake;

	private final CloudEvents events;

	/**
	 * Creates a transport.
	 * @param intake who gets the messages
	 * @param events how they are written
	 */
	public InboxTransport(Intake intake, CloudEvents events) {
		this.intake = intake;
		this.events = events;
	}

	@Override
	public String name() {
		return NAME;
	}

	/** Nobody need handle what is received, so a topic must be meant for it. */
	@Override
	public boolean takesUnroutedTopics() {
		return false;
	}

	@Override
	public List<SendResult> send(List<Envelope> messages) {
		return Collections.nCopies(messages.size(), take(messages.stream().map(this::arrival).toList()));
	}

	private SendResult take(List<Arrival> arrivals) {
		try {
			this.intake.take(arrivals);
			return SendResult.sent();
		}
		catch (CannotCreateTransactionException ex) {
			return SendResult.unreachable(ex);
		}
	}

	private Arrival arrival(Envelope message) {
		String id = message.id().toString();
		return new Arrival(SOURCE_PREFIX + message.topic(), this.events.write(message, CloudEvents.KAFKA_PREFIX),
				message.payload().getBytes(StandardCharsets.UTF_8), new EventDefaults(message.topic(), id, null),
				Map.of("outbox-message-id", id));
	}

}
