package io.whizbang.letter;

import java.util.Map;

import io.whizbang.work.FailureText;
import io.whizbang.work.Queue;

import org.springframework.util.Assert;

/**
 * Something that could not even become a message, or was not allowed to.
 *
 * @param queue the queue that it was meant for
 * @param source where it came from, as in {@code kafka:orders}
 * @param reason one of a few fixed words, for filters, as in {@code malformed}
 * @param error what is wrong with it, for people
 * @param raw what came, byte for byte
 * @param headers what came beside it, and what helps to find it at its source
 */
public record RawLetter(Queue queue, String source, String reason, String error, byte[] raw,
		Map<String, String> headers) {

	/** Reason: it cannot be read as what it should be. */
	public static final String MALFORMED = "malformed";

	/** Reason: it could be read, but is larger than the application takes. */
	public static final String TOO_LARGE = "too-large";

	public RawLetter {
		Assert.hasText(source, "The source of a dead letter must not be blank; say where it came from");
		Assert.hasText(reason, "The reason of a dead letter must not be blank; say in a word why it is dead");
		source = LetterJson.storable(source);
		reason = LetterJson.storable(reason);
		error = FailureText.bounded(error);
		raw = raw.clone();
		headers = Map.copyOf(headers);
	}

	/**
	 * Creates a letter from the failure to read it.
	 * @param queue the queue that it was meant for
	 * @param source where it came from
	 * @param reason one of a few fixed words
	 * @param failure why it cannot be read
	 * @param raw what came
	 * @param headers what came beside it
	 * @return the letter
	 */
	public static RawLetter of(Queue queue, String source, String reason, Throwable failure, byte[] raw,
			Map<String, String> headers) {
		return new RawLetter(queue, source, reason, FailureText.of(failure), raw, headers);
	}

	@Override
	public byte[] raw() {
		return this.raw.clone();
	}

}
