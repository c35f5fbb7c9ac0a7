package io.whizbang.handler;

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

	public TopicPatterns(Map<String, V> values) {
		this.values = values;
		this.patterns = values.keySet()
			.stream()
			.filter((topic) -> topic.contains("*"))
			.sorted(Comparator.<String>comparingLong((pattern) -> -letters(pattern))
				.thenComparing(Comparator.naturalOrder()))
			.toList();
	}

	/**
	 * Returns the value of a topic.
	 * @param topic the topic
	 * @return its value, or {@code null} when nothing matches
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
