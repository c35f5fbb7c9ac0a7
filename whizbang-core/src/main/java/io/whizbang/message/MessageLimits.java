package io.whizbang.message;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What the parts of a message must be, so that the database can keep them.
 */
public final class MessageLimits {

	private static final int MAX_NAME = 255;

	private static final int MAX_KEY = 1024;

	private static final int MAX_HEADERS = 16 * 1024;

	private MessageLimits() {
	}

	public static void checkName(String what, String name) {
		checkText(what, name, MAX_NAME);
	}

	public static void checkType(String type) {
		checkText("type", type, MAX_NAME * 2);
	}

	public static void checkKey(String what, String key) {
		checkText(what, key, MAX_KEY);
	}

	/**
	 * Refuses a payload that arrives and is larger than the application takes.
	 * @param id the message's identity at its source
	 * @param source where it came from
	 * @param payload the payload as JSON
	 * @param limit how many characters it has at most
	 */
	public static void checkPayload(String id, String source, String payload, long limit) {
		if (payload.length() > limit) {
			throw new PayloadException(
					"The payload of message %s from %s has %d characters of JSON, more than the %d that are allowed. "
						.formatted(LogText.of(id), LogText.of(source), payload.length(), limit)
							+ "Let the sender store what is large elsewhere and send its key, or set whizbang.messages.max-payload-size",
					null);
		}
	}

	public static void checkStream(@Nullable StreamId stream) {
		if (stream != null) {
			checkKey("stream key", stream.key());
		}
	}

	public static void checkHeaders(String topic, Map<String, String> headers) {
		int size = 0;
		for (Map.Entry<String, String> header : headers.entrySet()) {
			checkName("header name", header.getKey());
			Assert.isTrue(header.getValue().indexOf('\0') < 0,
					() -> "The header \"%s\" contains the character U+0000, which PostgreSQL cannot store; remove it"
						.formatted(header.getKey()));
			size += header.getKey().length() + header.getValue().length();
		}
		int total = size;
		Assert.isTrue(total <= MAX_HEADERS,
				() -> "The headers of a message to topic \"%s\" have %d characters, more than %d; move some into the payload"
					.formatted(topic, total, MAX_HEADERS));
	}

	/**
	 * Refuses a text that is blank, too long, or that the database cannot keep.
	 * @param what what it is
	 * @param text the text
	 * @param limit how many characters it has at most
	 */
	public static void checkText(String what, String text, int limit) {
		Assert.hasText(text, () -> "The %s must not be blank".formatted(what));
		Assert.isTrue(text.length() <= limit, () -> "The %s \"%s…\" has %d characters, more than %d; shorten it"
			.formatted(what, text.substring(0, 40), text.length(), limit));
		Assert.isTrue(text.indexOf('\0') < 0,
				() -> "The %s \"%s\" contains the character U+0000, which PostgreSQL cannot store; remove it"
					.formatted(what, text.replace('\0', '?')));
	}

}
