package io.whizbang.autoconfigure.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How one feature stands, in a line. What a feature does not have is {@code null}.
 *
 * @param feature name of the feature
 * @param state what it does on this instance, such as {@code running} or {@code paused}
 * @param backlog how much waits, counted up to the overview's limit
 * @param oldestMs age of the oldest that waits, in milliseconds
 * @param claims how many batches, runs or parts are in work, on all instances
 * @param deadLetters how much was given up, counted up to the overview's limit
 * @param recent how much has ended here in the last minute
 * @param problem what an operator should look at
 * @param details more, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OverviewLine(String feature, String state, @Nullable Long backlog, @Nullable Long oldestMs,
		@Nullable Integer claims, @Nullable Integer deadLetters, @Nullable Recent recent, @Nullable String problem,
		Map<String, Object> details) {

	/**
	 * Returns a line that has only details.
	 * @param feature name of the feature
	 * @param state what it does on this instance
	 * @param backlog how much waits, or {@code null} when it is not known
	 * @param details more, by name
	 * @return the line
	 */
	public static OverviewLine of(String feature, String state, @Nullable Long backlog, Map<String, Object> details) {
		return new OverviewLine(feature, state, backlog, null, null, null, null, null, details);
	}

	/**
	 * Returns this line with a problem.
	 * @param problem what an operator should look at, or {@code null}
	 * @return the line
	 */
	public OverviewLine problem(@Nullable String problem) {
		return new OverviewLine(this.feature, this.state, this.backlog, this.oldestMs, this.claims, this.deadLetters,
				this.recent, problem, this.details);
	}

	static @Nullable Long millis(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : null;
	}

	/**
	 * How much has ended on this instance, for each of the last seconds, the oldest
	 * first.
	 *
	 * @param perSecond average of the last ten seconds
	 * @param done what has ended well
	 * @param failed attempts that have failed
	 */
	public record Recent(double perSecond, List<Long> done, List<Long> failed) {

		private static final int LAST = 10;

		static Recent of(List<Long> done, List<Long> failed) {
			double perSecond = done.stream()
				.skip(Math.max(0, done.size() - LAST))
				.mapToLong(Long::longValue)
				.average()
				.orElse(0);
			return new Recent(perSecond, done, failed);
		}

	}

}
