package io.whizbang.inbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.letter.DeadLetters;
import io.whizbang.letter.RawLetter;
import io.whizbang.message.PayloadException;
import io.whizbang.transport.Arrival;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.Intake;
import io.whizbang.transport.ReceivedEvent;
import io.whizbang.work.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionOperations;

/**
 * Takes what brokers deliver into the inbox and, when it is malformed or too large, to
 * the dead letters, in one transaction.
 */
public final class InboxIntake implements Intake {

	private static final Logger logger = LoggerFactory.getLogger(InboxIntake.class);

	private final Inbox inbox;

	private final DeadLetters letters;

	private final TransactionOperations transactions;

	private final InboxSettings settings;

	/**
	 * Creates an intake.
	 * @param inbox who gets the messages
	 * @param letters who gets what is no message, or too large
	 * @param transactions transactions of the database that both are in
	 * @param settings the inbox's settings, which say what is too large
	 */
	public InboxIntake(Inbox inbox, DeadLetters letters, TransactionOperations transactions, InboxSettings settings) {
		this.inbox = inbox;
		this.letters = letters;
		this.transactions = transactions;
		this.settings = settings;
	}

	@Override
	public void take(List<Arrival> arrivals) {
		List<IncomingMessage> messages = new ArrayList<>(arrivals.size());
		List<Refused> refused = new ArrayList<>();
		for (Arrival arrival : arrivals) {
			try {
				IncomingMessage message = message(arrival);
				message.requireSize(this.settings.maxPayloadSize());
				messages.add(message);
			}
			catch (IllegalArgumentException ex) {
				refused.add(new Refused(arrival, RawLetter.MALFORMED, ex));
			}
			catch (PayloadException ex) {
				refused.add(new Refused(arrival, RawLetter.TOO_LARGE, ex));
			}
		}
		this.transactions.executeWithoutResult((status) -> {
			refused.forEach((one) -> this.letters.record(one.letter()));
			if (!messages.isEmpty()) {
				this.inbox.receiveAll(messages);
			}
		});
		refused.forEach(Refused::log);
	}

	private static IncomingMessage message(Arrival arrival) {
		ReceivedEvent event = CloudEvents.read(arrival.headers(), arrival.payload(), arrival.defaults());
		return IncomingMessage.from(arrival.source(), event.id())
			.topic(event.topic())
			.type(event.type())
			.stream(event.stream())
			.headers(event.headers())
			.payload(event.payload())
			.build();
	}

	/**
	 * What is not taken in. It is kept as it came, however large: its broker forgets it.
	 *
	 * @param arrival what arrived
	 * @param reason why, in a word
	 * @param failure what is wrong with it
	 */
	private record Refused(Arrival arrival, String reason, RuntimeException failure) {

		RawLetter letter() {
			Map<String, String> headers = new HashMap<>(this.arrival.headers());
			headers.putAll(this.arrival.place());
			byte[] raw = (this.arrival.payload() != null) ? this.arrival.payload() : new byte[0];
			return new RawLetter(Queue.INBOX, this.arrival.source(), this.reason,
					String.valueOf(this.failure.getMessage()), raw, headers);
		}

		void log() {
			logger.warn("What came from {} {} is {} and went to the dead letters: {}", this.arrival.source(),
					this.arrival.place(), this.reason.equals(RawLetter.MALFORMED) ? "no message" : "too large",
					this.failure.getMessage());
		}

	}

}
