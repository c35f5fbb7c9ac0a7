package io.whizbang.schema;

/**
 * The database is not one that Whizbang can work with.
 */
public final class UnsupportedDatabaseException extends SchemaException {

	private static final long serialVersionUID = 1L;

	private final String found;

	UnsupportedDatabaseException(String found) {
		super("Whizbang needs PostgreSQL %d or later but the data source leads to %s"
			.formatted(DatabaseServer.OLDEST_MAJOR_VERSION, found));
		this.found = found;
	}

	/**
	 * Returns product and version of the database behind the data source.
	 * @return the description
	 */
	public String found() {
		return this.found;
	}

}
