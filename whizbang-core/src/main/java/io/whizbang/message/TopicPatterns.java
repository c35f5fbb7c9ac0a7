package io.whizbang.message;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.util.PatternMatchUtils;

/**
 * Values for topics. A topic's own value wins, then that of the pattern with the most
 * letters.
 *
 * @param <V> type of the values
 */
public final class TopicPatterns<V> {

	private final Map<String, V> values;

	private final List<String> patterns;

	/**
	 * Creates the values.
	 * @param values values by topic, or by pattern with {@code *}
	 */
	public TopicPatterns(Map<String, V> values) {
		this.values = Map.copyOf(values);
		this.patterns = values.keySet()
			.stream()
			.filter((topic) -> topic.contains("*"))
			.sorted(Comparator.<String>comparingLong((pattern) -> -letters(pattern))
				.thenComparing(Comparator.naturalOrder()))
			.toList();
	}

	/**
	 * Returns the value for a topic.
	 * @param topic the topic
	 * @return the value, or {@code null} when neither the topic nor a pattern has one
	 */
	public @Nullable V find(String topic) {
		V exact = this.values.get(topic);
		if (exact != null) {
			return exact;
		}
		for (String pattern : this.patterns) {
			if (PatternMatchUtils.simpleMatch(pattern, topic)) {
				return this.values.get(pattern);
			}
		}
		return null;
	}

	private static long letters(String pattern) {
		return pattern.chars().filter((letter) -> letter != '*').count();
	}

}
