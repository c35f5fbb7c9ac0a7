package io.whizbang.fanout;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.whizbang.message.Envelope;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * A piece of work that is due: one kind of work, for one shard, over a window of time.
 *
 * @param topic the fan-out
 * @param workKey which work
 * @param shardKey whose work
 * @param windowStart where the last completed window ended, or {@code null} when there
 * was none
 * @param windowEnd the time that the slice was planned for; it belongs to the next window
 */
public record FanoutSlice(String topic, String workKey, String shardKey, @Nullable Instant windowStart,
		Instant windowEnd) {

	private static final String PREFIX = "fanout:";

	public FanoutSlice {
		FanoutLimits.checkTopic(topic);
		FanoutLimits.checkWorkKey(workKey);
		FanoutLimits.checkShardKey(shardKey);
		Assert.isTrue(windowStart == null || windowStart.isBefore(windowEnd),
				() -> "The window of a slice must end after its start %s but ends at %s".formatted(windowStart,
						windowEnd));
	}

	/**
	 * Reads a slice from its message.
	 * @param message the message
	 * @return the slice
	 * @throws IllegalArgumentException when the message is no slice
	 */
	public static FanoutSlice of(Envelope message) {
		JsonNode json = JsonMapper.shared().readTree(message.payload());
		JsonNode start = json.path("windowStart");
		return new FanoutSlice(text(message, json, "topic"), text(message, json, "workKey"),
				text(message, json, "shardKey"), start.isString() ? Instant.parse(start.asString()) : null,
				Instant.parse(text(message, json, "windowEnd")));
	}

	private static String text(Envelope message, JsonNode json, String name) {
		JsonNode value = json.path(name);
		Assert.isTrue(value.isString(), () -> "Message %s to %s is no slice of a fan-out: it has no %s"
			.formatted(message.id(), message.topic(), name));
		return value.asString();
	}

	/**
	 * Returns the topic of messages that slices are sent as.
	 * @param topic the fan-out
	 * @param workKey which work
	 * @return the topic
	 */
	public static String messageTopic(String topic, String workKey) {
		return PREFIX + topic + ":" + workKey;
	}

	/** What slices are ordered by: those of a shard go one after the other. */
	String stream() {
		return PREFIX + this.topic + ":" + this.shardKey;
	}

	/** Texts only: however the application writes times, these must come back as sent. */
	Map<String, String> payload() {
		Map<String, String> payload = new LinkedHashMap<>();
		payload.put("topic", this.topic);
		payload.put("workKey", this.workKey);
		payload.put("shardKey", this.shardKey);
		if (this.windowStart != null) {
			payload.put("windowStart", this.windowStart.toString());
		}
		payload.put("windowEnd", this.windowEnd.toString());
		return payload;
	}

}
