package io.whizbang.schema;

import java.util.List;

/**
 * The database objects are not those that this release needs.
 */
public final class SchemaMismatchException extends SchemaException {

	private static final long serialVersionUID = 1L;

	private final String schema;

	private final Problem problem;

	private final List<String> changes;

	SchemaMismatchException(String schema, Problem problem, List<String> changes) {
		super(problem.message.formatted(schema, String.join(", ", changes)));
		this.schema = schema;
		this.problem = problem;
		this.changes = List.copyOf(changes);
	}

	public String schema() {
		return this.schema;
	}

	public Problem problem() {
		return this.problem;
	}

	/**
	 * Returns the changes that are missing, different or unknown, by file name.
	 * @return the names; none when the whole schema is missing
	 */
	public List<String> changes() {
		return this.changes;
	}

	/** The ways in which a schema can be wrong. */
	public enum Problem {

		/** It has never been installed. */
		MISSING("Schema '%s' is missing or has no Whizbang objects%s"),

		/** Changes of this release have not run. */
		TOO_OLD("Schema '%s' is older than this release of Whizbang needs; not run yet: %s"),

		/** A later release has changed it. */
		TOO_NEW("Schema '%s' was changed by a later release of Whizbang than this one; unknown here: %s");

		private final String message;

		Problem(String message) {
			this.message = message;
		}

	}

}
