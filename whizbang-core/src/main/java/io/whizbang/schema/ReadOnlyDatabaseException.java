package io.whizbang.schema;

/**
 * The database, or the session with it, accepts no changes.
 */
public final class ReadOnlyDatabaseException extends SchemaException {

	private static final long serialVersionUID = 1L;

	ReadOnlyDatabaseException(boolean standby) {
		super(standby
				? "The data source leads to a read-only standby; Whizbang writes with everything it does. "
						+ "Point the data source to the primary, for example with targetServerType=primary in its URL"
				: "Sessions of the data source are read-only; Whizbang writes with everything it does. "
						+ "Remove the pool's read-only flag or the role's default_transaction_read_only");
	}

}
