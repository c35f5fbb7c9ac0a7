package io.whizbang.schema;

import org.jspecify.annotations.Nullable;

/**
 * The database objects could not be installed or checked.
 */
public class SchemaException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public SchemaException(String message) {
		super(message);
	}

	public SchemaException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
