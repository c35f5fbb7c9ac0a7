package io.whizbang.join;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What came of counting.
 *
 * @param counted how many reports were counted
 * @param more whether there are likely more
 * @param heldBack whether others have joins in their hands that have reports
 * @param from up to which report the next look need not go back
 * @param dueFrom up to which deadline the next look need not go back
 * @param next how long until the next deadline, or {@code null} when there is none before
 * the next look
 * @param closed the joins that were closed
 */
record Fold(int counted, boolean more, boolean heldBack, long from, Instant dueFrom, @Nullable Duration next,
		List<ClosedJoin> closed) {
}
