package io.whizbang.schema;

/**
 * What happens to the database objects when the application starts.
 */
public enum SchemaMode {

	/** They are installed or upgraded. */
	MIGRATE,

	/** They are checked and nothing is written; a mismatch stops the start. */
	VALIDATE,

	/** Nothing is done. */
	NONE

}
