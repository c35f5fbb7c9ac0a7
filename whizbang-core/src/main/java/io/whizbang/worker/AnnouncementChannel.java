package io.whizbang.worker;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import org.springframework.util.Assert;

/**
 * The channel on which instances announce work to each other: one for each schema, so
 * that applications that share a database do not wake each other.
 *
 * @param name the channel's name
 */
public record AnnouncementChannel(String name) {

	private static final String PREFIX = "whizbang:";

	private static final int MAX_BYTES = 63;

	public AnnouncementChannel {
		Assert.hasText(name, "The name of a channel must not be blank");
		Assert.isTrue(bytes(name).length <= MAX_BYTES,
				() -> "The name of a channel must have at most " + MAX_BYTES + " bytes but is " + name);
	}

	public static AnnouncementChannel ofSchema(String schema) {
		String name = PREFIX + schema;
		return new AnnouncementChannel(
				(bytes(name).length <= MAX_BYTES) ? name : PREFIX + UUID.nameUUIDFromBytes(bytes(schema)));
	}

	/** Returns the name as an identifier in SQL. */
	String quoted() {
		return '"' + this.name.replace("\"", "\"\"") + '"';
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
