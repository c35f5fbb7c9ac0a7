package io.whizbang.message;

import java.util.HashMap;
import java.util.Map;

/**
 * The headers that messages get without the application's doing: what tracing adds, and
 * what ties them to the message that the current thread handles.
 *
 * @param values the headers
 */
public record InheritedHeaders(Map<String, String> values) {

	/**
	 * Returns what is inherited now.
	 * @param added what tracing adds
	 * @return the headers
	 */
	public static InheritedHeaders with(Map<String, String> added) {
		Map<String, String> lineage = CurrentMessage.lineage();
		if (lineage.isEmpty()) {
			return new InheritedHeaders(added);
		}
		Map<String, String> inherited = new HashMap<>(added);
		inherited.putAll(lineage);
		return new InheritedHeaders(inherited);
	}

	/**
	 * Adds what the application says, which wins.
	 * @param own the application's headers
	 * @return all headers
	 */
	public Map<String, String> and(Map<String, String> own) {
		if (this.values.isEmpty()) {
			return own;
		}
		Map<String, String> headers = new HashMap<>(this.values);
		headers.putAll(own);
		return headers;
	}

}
