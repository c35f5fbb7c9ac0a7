package io.whizbang.letter;

import java.util.Collection;
import java.util.List;

import io.whizbang.message.MessageId;
import org.jspecify.annotations.Nullable;

/**
 * What will not be tried again, of all features, until somebody decides about it.
 * <p>
 * Replaying and discarding are transactions of their own, apart from any of the caller,
 * and leave an entry in the audit for every letter. Of several callers that decide about
 * the same letter at once, one does; for the others it is absent.
 */
public interface DeadLetters {

	/**
	 * So many letters or entries are read, and so many letters named, at once at most.
	 */
	int MAX_PAGE = 1000;

	/**
	 * Records something that could not even become a message: in the current transaction,
	 * or in one of its own when there is none.
	 * @param letter what came, and why it cannot be read
	 * @return the letter's number
	 */
	long record(RawLetter letter);

	/**
	 * Lists letters, newest first.
	 * @param filter which letters
	 * @param before only those with a lower number, from {@link DeadLetterPage#next()};
	 * {@code null} to start with the newest
	 * @param limit how many at most, up to {@link #MAX_PAGE}
	 * @return the letters without their payloads
	 */
	DeadLetterPage list(DeadLetterFilter filter, @Nullable Long before, int limit);

	/**
	 * Returns one letter with all there is.
	 * @param id its number
	 * @return the letter, or {@code null} when nobody has it any more
	 */
	@Nullable DeadLetter find(long id);

	/**
	 * Puts the message of a letter to the end of its stream, as it was but with no
	 * attempts counted.
	 * @param id the letter's number
	 * @param by who wants it
	 * @return what became of it
	 */
	default Decision replay(long id, Operator by) {
		return replay(List.of(id), by);
	}

	/**
	 * Puts the messages of letters to the ends of their streams, oldest letter first,
	 * batch by batch: when it fails, the batches before are done.
	 * @param ids the letters' numbers, up to {@link #MAX_PAGE}
	 * @param by who wants it
	 * @return what became of them
	 */
	Decision replay(Collection<Long> ids, Operator by);

	/**
	 * Puts the messages of all letters that exist now to the ends of their streams,
	 * oldest letter first, batch by batch: when it fails, the batches before are done.
	 * What was never a message is left alone.
	 * @param filter which letters
	 * @param by who wants it
	 * @return how many messages
	 */
	long replayAll(DeadLetterFilter filter, Operator by);

	/**
	 * Removes a letter for good.
	 * @param id the letter's number
	 * @param by who wants it
	 * @return what became of it
	 */
	default Decision discard(long id, Operator by) {
		return discard(List.of(id), by);
	}

	/**
	 * Removes letters for good, batch by batch: when it fails, the batches before are
	 * done.
	 * @param ids the letters' numbers, up to {@link #MAX_PAGE}
	 * @param by who wants it
	 * @return what became of them
	 */
	Decision discard(Collection<Long> ids, Operator by);

	/**
	 * Removes all letters that exist now for good, batch by batch: when it fails, the
	 * batches before are done.
	 * @param filter which letters
	 * @param by who wants it
	 * @return how many letters
	 */
	long discardAll(DeadLetterFilter filter, Operator by);

	/**
	 * Tells what was decided about letters, newest first.
	 * @param messageId only about letters of this message, or {@code null}
	 * @param before only entries with a lower number, {@code null} to start with the
	 * newest
	 * @param limit how many at most, up to {@link #MAX_PAGE}
	 * @return the entries
	 */
	List<AuditEntry> audit(@Nullable MessageId messageId, @Nullable Long before, int limit);

}
