package io.whizbang.fanout;

import java.util.Map;

import io.whizbang.message.MessageLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What the keys of fan-outs must be.
 */
final class FanoutLimits {

	/** Stands for all work keys that have no policy of their own. */
	static final String ALL = "*";

	private static final int MAX_KEY = 100;

	private static final int MAX_SHARD = 256;

	private FanoutLimits() {
	}

	static void checkTopic(String topic) {
		checkKey("topic of a fan-out", topic, MAX_KEY);
		Assert.isTrue(topic.indexOf(':') < 0,
				() -> "The topic of a fan-out \"%s\" must have no colon: its messages go to fanout:topic:workKey"
					.formatted(topic));
	}

	static void checkWorkKey(String workKey) {
		checkKey("work key", workKey, MAX_KEY);
		Assert.isTrue(!workKey.equals(ALL), "The work key * stands for all work keys; give another one");
	}

	static void checkShardKey(String shardKey) {
		checkKey("shard key", shardKey, MAX_SHARD);
	}

	/** Looks at what a planner said, which may be anything. */
	static void check(@Nullable FanoutCandidate candidate) {
		Assert.notNull(candidate, "A candidate is null");
		Assert.notNull(candidate.shardKey(), () -> "The shard key is null in " + candidate);
		Assert.notNull(candidate.workKey(), () -> "The work key is null in " + candidate);
		Assert.notNull(candidate.headers(), () -> "The headers are null in " + candidate);
		checkShardKey(candidate.shardKey());
		checkWorkKey(candidate.workKey());
		for (Map.Entry<String, String> header : candidate.headers().entrySet()) {
			Assert.isTrue(header.getKey() != null && header.getValue() != null,
					() -> "A header is null in " + candidate);
		}
		MessageLimits.checkHeaders(candidate.workKey(), candidate.headers());
	}

	private static void checkKey(String what, String key, int limit) {
		MessageLimits.checkText(what, key, limit);
		Assert.isTrue(key.chars().noneMatch(Character::isISOControl),
				() -> "The %s \"%s\" must have no control characters".formatted(what, key));
	}

}
