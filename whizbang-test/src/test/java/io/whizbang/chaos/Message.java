package io.whizbang.chaos;

import java.time.Duration;
import java.util.Map;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;

/**
 * Makes messages, and knows what they are up to.
 */
final class Message {

	private static final String PLAIN = "plain";

	private static final String POISON = "poison";

	private static final String DELAYED = "delayed";

	private static final String PROBE = "probe";

	private Message() {
	}

	static NewMessage plain(StreamId stream, String payload) {
		return message(PLAIN, stream, payload, null);
	}

	static NewMessage poison(StreamId stream) {
		return message(POISON, stream, "{}", null);
	}

	/**
	 * It joins its stream later, at its end, so it has no place in the order of commits.
	 */
	static NewMessage delayed(StreamId stream, Duration delay) {
		return message(DELAYED, stream, "{}", delay);
	}

	/** It never fails and has its stream for itself: nothing may hold it up. */
	static NewMessage probe() {
		return message(PROBE, StreamId.of(MessageId.next().value()), "{}", null);
	}

	static boolean isPoison(Envelope message) {
		return message.topic().equals(POISON);
	}

	static boolean isDelayed(Envelope message) {
		return message.topic().equals(DELAYED);
	}

	static boolean isProbe(Envelope message) {
		return message.topic().equals(PROBE);
	}

	private static NewMessage message(String topic, StreamId stream, String payload, Duration delay) {
		return new NewMessage(MessageId.next(), topic, "chaos", stream, Map.of(), payload, delay, null);
	}

}
