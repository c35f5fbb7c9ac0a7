package io.whizbang.join;

import java.time.Duration;
import java.util.Map;

import io.whizbang.message.MessageLimits;

import org.springframework.util.Assert;

/**
 * What the parts of a join must be, so that the database can keep them.
 */
final class JoinLimits {

	static final int MAX_EXPECTED = 10_000_000;

	static final int MAX_NAME = 200;

	private static final int MAX_METADATA = 16 * 1024;

	private static final Duration MAX_DEADLINE = Duration.ofDays(10 * 366);

	private JoinLimits() {
	}

	static void checkKey(String key) {
		MessageLimits.checkText("key of a join", key, MAX_NAME);
	}

	static void checkMember(String member) {
		MessageLimits.checkText("member of a join", member, MAX_NAME);
	}

	static void checkExpected(int expected) {
		Assert.isTrue(expected >= 0 && expected <= MAX_EXPECTED,
				() -> "A join must expect between 0 and %d members but expects %d".formatted(MAX_EXPECTED, expected));
	}

	static void checkDeadline(Duration deadline) {
		Assert.isTrue(!deadline.isNegative() && !deadline.isZero() && deadline.compareTo(MAX_DEADLINE) <= 0,
				() -> "The deadline of a join must be above 0 and at most ten years but is " + deadline);
	}

	static void checkMetadata(Map<String, String> metadata) {
		int size = metadata.entrySet().stream().mapToInt((entry) -> {
			Assert.isTrue(entry.getKey().indexOf('\0') < 0 && entry.getValue().indexOf('\0') < 0,
					() -> "The metadata \"%s\" of a join contains the character U+0000, which PostgreSQL cannot store; remove it"
						.formatted(entry.getKey().replace('\0', '?')));
			return entry.getKey().length() + entry.getValue().length();
		}).sum();
		Assert.isTrue(size <= MAX_METADATA,
				() -> "The metadata of a join has %d characters, more than %d; keep a reference".formatted(size,
						MAX_METADATA));
	}

}
