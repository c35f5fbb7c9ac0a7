package io.whizbang.inbox;

import java.time.Duration;

/**
 * Tells the application's own listener whether it has to handle a message: exactly one of
 * any number of callers is told so.
 * <p>
 * Called in a transaction, it takes part in it. Two ways are safe:
 * <ul>
 * <li>{@link #begin begin}, effects and {@link #complete complete} in one transaction:
 * effects on this database happen exactly once. Other callers wait for the end of the
 * transaction instead of hearing that it is in progress.</li>
 * <li>{@link #begin begin} outside of a transaction, then effects and {@link #complete
 * complete} in one: the same, and others hear at once that it is in progress. When the
 * process dies, the message is new again after its lease.</li>
 * </ul>
 * Effects elsewhere happen at least once: the process may die between them and
 * {@link #complete complete}.
 * <p>
 * A source is either guarded or received by the {@link Inbox}, never both.
 */
public interface InboxGuard {

	/**
	 * Asks for a message.
	 * @param source where it came from
	 * @param id its identity there, any text
	 * @param contentHash hash of what it says, always computed in the same way
	 * @param lease how long the caller has for it, by the database's clock; after that
	 * the next caller gets it
	 * @return whether the message is the caller's, and why not
	 */
	GuardAnswer begin(String source, String id, byte[] contentHash, Duration lease);

	/**
	 * The message is done: nobody gets it again.
	 * @param token what {@link #begin begin} gave
	 * @throws GuardLostException when another caller got the message meanwhile; whatever
	 * was done for it must not take effect
	 */
	void complete(GuardToken token);

	/**
	 * The message failed: the next caller gets it, at once.
	 * @param token what {@link #begin begin} gave
	 * @param error why, for people
	 * @throws GuardLostException when another caller got the message meanwhile
	 */
	void fail(GuardToken token, String error);

	/**
	 * The message will never succeed: nobody gets it again.
	 * @param token what {@link #begin begin} gave
	 * @param reason why, for people
	 * @throws GuardLostException when another caller got the message meanwhile
	 */
	void dead(GuardToken token, String reason);

}
