package io.whizbang.test;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;

/**
 * A RabbitMQ that tests share. Others use it at the same time: name queues and exchanges
 * so that nobody else has the same, and remove them.
 */
public final class RabbitServer {

	static final String LOCAL = "amqp://guest:guest@localhost:5672";

	private final ConnectionFactory connections = new ConnectionFactory();

	RabbitServer(String uri) {
		try {
			this.connections.setUri(new URI(uri));
			this.connections.setAutomaticRecoveryEnabled(false);
		}
		catch (URISyntaxException | GeneralSecurityException ex) {
			throw new IllegalArgumentException("The address of RabbitMQ must be as %s".formatted(LOCAL), ex);
		}
	}

	public String host() {
		return this.connections.getHost();
	}

	public int port() {
		return this.connections.getPort();
	}

	/**
	 * Opens a connection of RabbitMQ's own client.
	 * @return the connection, to be closed by the caller
	 * @throws IOException when the server does not answer
	 */
	public Connection connect() throws IOException {
		try {
			return this.connections.newConnection("whizbang-test");
		}
		catch (TimeoutException ex) {
			throw new IOException("No answer from " + this, ex);
		}
	}

	/**
	 * Returns where the server is, as an application's properties.
	 * @return properties {@code spring.rabbitmq…} in the form {@code name=value}
	 */
	public String[] properties() {
		return properties(host(), port());
	}

	/**
	 * Returns the same for an application that goes through a proxy.
	 * @param proxy the way to the server
	 * @return properties {@code spring.rabbitmq…} in the form {@code name=value}
	 */
	public String[] properties(TcpProxy proxy) {
		return properties("localhost", proxy.port());
	}

	private String[] properties(String host, int port) {
		return new String[] { "spring.rabbitmq.host=" + host, "spring.rabbitmq.port=" + port,
				"spring.rabbitmq.username=" + this.connections.getUsername(),
				"spring.rabbitmq.password=" + this.connections.getPassword(),
				"spring.rabbitmq.virtual-host=" + this.connections.getVirtualHost() };
	}

	/** Leaves out the password. */
	@Override
	public String toString() {
		return "RabbitMQ at %s:%d".formatted(host(), port());
	}

}
