package io.whizbang.inbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What a message says, in 32 bytes: SHA-256 of its topic, type and payload. Headers have
 * no part in it, because brokers and tracing change them on the way.
 */
final class ContentHash {

	private ContentHash() {
	}

	static byte[] of(IncomingMessage message) {
		MessageDigest digest = sha256();
		digest.update(bytes(message.topic()));
		digest.update((byte) 0);
		digest.update(bytes((message.type() != null) ? message.type() : ""));
		digest.update((byte) 0);
		return digest.digest(bytes(message.payload()));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java runtime has SHA-256", ex);
		}
	}

}
