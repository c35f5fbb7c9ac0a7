package io.whizbang.sample.database;

/**
 * Thrown when somebody else listens where the embedded database should.
 */
@SuppressWarnings("serial")
final class DatabasePortTakenException extends RuntimeException {

	private final int port;

	private final PortHolder holder;

	DatabasePortTakenException(int port, PortHolder holder) {
		super("Port %d, where the shop's own PostgreSQL should listen, is taken by %s".formatted(port,
				holder.isPostgres() ? "another PostgreSQL, probably that of another shop" : "another program"));
		this.port = port;
		this.holder = holder;
	}

	int port() {
		return this.port;
	}

	PortHolder holder() {
		return this.holder;
	}

}
