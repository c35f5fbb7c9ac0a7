package io.whizbang.perspective;

import java.util.Arrays;

/**
 * Shards are not where this instance left them: another one has taken them over, an
 * operator has begun them anew, or an earlier commit succeeded although its answer was
 * lost. What was done meanwhile is rolled back, and they are read again.
 */
final class ShardLostException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	ShardLostException(PerspectiveRun run, ShardGroup group) {
		super("Shards %s of %s are not where they were left; what was done is rolled back"
			.formatted(Arrays.toString(group.numbers()), run));
	}

}
