package io.whizbang.lease;

/**
 * A lease is not held any more: what is done for it must not go on.
 */
public class LeaseLostException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String name;

	private final long token;

	/**
	 * Creates an exception.
	 * @param name what was leased
	 * @param token the fencing token of the lease
	 * @param why how it came to its end
	 */
	public LeaseLostException(String name, long token, String why) {
		super("The lease \"%s\" (token %d) is not held any more: %s. Stop what is done for it, and roll back"
			.formatted(name, token, why));
		this.name = name;
		this.token = token;
	}

	public String name() {
		return this.name;
	}

	public long token() {
		return this.token;
	}

}
