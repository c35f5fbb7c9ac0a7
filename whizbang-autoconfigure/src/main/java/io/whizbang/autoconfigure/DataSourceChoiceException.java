package io.whizbang.autoconfigure;

import java.util.List;

/**
 * There is no data source, or there are several and none is meant for Whizbang.
 */
public final class DataSourceChoiceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final List<String> candidates;

	DataSourceChoiceException(List<String> candidates) {
		super(candidates.isEmpty() ? "Whizbang needs a DataSource but the application has none"
				: "Whizbang needs one DataSource but the application has several and none is primary: "
						+ String.join(", ", candidates));
		this.candidates = List.copyOf(candidates);
	}

	/**
	 * Returns the names of the data sources to choose from.
	 * @return the bean names; none when there is no data source
	 */
	public List<String> candidates() {
		return this.candidates;
	}

}
