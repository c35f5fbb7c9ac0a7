package io.whizbang.event;

import io.whizbang.message.StreamId;

import org.springframework.dao.OptimisticLockingFailureException;

/**
 * A stream does not stand where it was expected to; nothing was appended. The database's
 * transaction is intact, so whoever catches this can go on in it.
 */
public class OptimisticConcurrencyException extends OptimisticLockingFailureException {

	private static final long serialVersionUID = 1L;

	private final transient StreamId stream;

	private final transient ExpectedVersion expected;

	private final long found;

	public OptimisticConcurrencyException(StreamId stream, ExpectedVersion expected, long found) {
		super("Cannot append to the stream \"%s\": expected %s, found %s. ".formatted(stream.key(), expected,
				new ExpectedVersion(found))
				+ "Another transaction was faster, or the stream was read before its last append: read it again, decide "
				+ "again and append with the version found then");
		this.stream = stream;
		this.expected = expected;
		this.found = found;
	}

	public StreamId stream() {
		return this.stream;
	}

	public ExpectedVersion expected() {
		return this.expected;
	}

	/**
	 * Returns the version of the stream's last event.
	 * @return the version, 0 when there is no such stream
	 */
	public long found() {
		return this.found;
	}

}
