package io.whizbang.inbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.letter.DeadLetters;
import io.whizbang.letter.RawLetter;
import io.whizbang.transport.Arrival;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.Intake;
import io.whizbang.transport.ReceivedEvent;
import io.whizbang.work.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionOperations;

/**
 * Takes what brokers deliver into the inbox and, when it is malformed, to the dead
 * letters, in one transaction.
 */
public final class InboxIntake implements Intake {

	private static final Logger logger = LoggerFactory.getLogger(InboxIntake.class);

	private final Inbox inbox;

	private final DeadLetters letters;

	private final TransactionOperations transactions;

	/**
	 * Creates an intake.
	 * @param inbox who gets the messages
	 * @param letters who gets what is no message
	 * @param transactions transactions of the database that both are in
	 */
	public InboxIntake(Inbox inbox, DeadLetters letters, TransactionOperations transactions) {
		this.inbox = inbox;
		this.letters = letters;
		this.transactions = transactions;
	}

	@Override
	public void take(List<Arrival> arrivals) {
		List<IncomingMessage> messages = new ArrayList<>(arrivals.size());
		List<Malformed> malformed = new ArrayList<>();
		for (Arrival arrival : arrivals) {
			try {
				messages.add(message(arrival));
			}
			catch (IllegalArgumentException ex) {
				malformed.add(new Malformed(arrival, ex));
			}
		}
		this.transactions.executeWithoutResult((status) -> {
			malformed.forEach((one) -> this.letters.record(one.letter()));
			if (!messages.isEmpty()) {
				this.inbox.receiveAll(messages);
			}
		});
		malformed.forEach((one) -> logger.warn("What came from {} {} is no message and went to the dead letters: {}",
				one.arrival.source(), one.arrival.place(), one.failure.getMessage()));
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
	 * What can never become a message.
	 *
	 * @param arrival what arrived
	 * @param failure what is wrong with it
	 */
	private record Malformed(Arrival arrival, IllegalArgumentException failure) {

		RawLetter letter() {
			Map<String, String> headers = new HashMap<>(this.arrival.headers());
			headers.putAll(this.arrival.place());
			byte[] raw = (this.arrival.payload() != null) ? this.arrival.payload() : new byte[0];
			return new RawLetter(Queue.INBOX, this.arrival.source(), RawLetter.MALFORMED,
					String.valueOf(this.failure.getMessage()), raw, headers);
		}

	}

}
