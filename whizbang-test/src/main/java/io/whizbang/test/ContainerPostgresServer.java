package io.whizbang.test;

import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * Runs PostgreSQL in a container. The only class that needs Testcontainers.
 */
final class ContainerPostgresServer {

	static final String IMAGE = "postgres:18-alpine";

	private ContainerPostgresServer() {
	}

	/**
	 * Starts a container that disappears with the virtual machine.
	 * @param image name of the image
	 * @return the server in it
	 */
	// Testcontainers removes the container at the end of the virtual machine.
	@SuppressWarnings("resource")
	static PostgresServer start(String image) {
		PostgreSQLContainer container = new PostgreSQLContainer(image).withCommand("postgres", "-c", "fsync=off", "-c",
				"max_connections=200");
		container.start();
		return new PostgresServer(container.getJdbcUrl(), container.getUsername(), container.getPassword());
	}

}
