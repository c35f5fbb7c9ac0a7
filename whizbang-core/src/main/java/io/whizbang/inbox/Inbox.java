package io.whizbang.inbox;

import java.util.Collection;
import java.util.List;

/**
 * Takes in messages from elsewhere, each of them once: the message and the memory of
 * having received it exist if and only if the current transaction commits. Outside a
 * transaction each call is one of its own.
 * <p>
 * Whether a message is new is decided at once. Who receives a message that another
 * transaction has just received waits for the end of that one; to receive several in one
 * transaction, use one call, which cannot deadlock with another.
 */
public interface Inbox {

	/**
	 * Receives a message.
	 * @param message the message
	 * @return what became of it
	 * @throws io.whizbang.message.PayloadException when it is larger than messages may
	 * be; nothing was stored
	 */
	default Receipt receive(IncomingMessage message) {
		return receiveAll(List.of(message)).get(0);
	}

	/**
	 * Receives messages.
	 * @param messages the messages, in order
	 * @return what became of each, in the same order
	 * @throws io.whizbang.message.PayloadException when one is larger than messages may
	 * be; nothing was stored
	 */
	List<Receipt> receiveAll(Collection<IncomingMessage> messages);

}
