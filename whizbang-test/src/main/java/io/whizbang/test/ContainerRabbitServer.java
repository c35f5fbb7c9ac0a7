package io.whizbang.test;

import org.testcontainers.rabbitmq.RabbitMQContainer;

/**
 * Runs RabbitMQ in a container.
 */
final class ContainerRabbitServer {

	private static final String IMAGE = "rabbitmq:4-alpine";

	private ContainerRabbitServer() {
	}

	/**
	 * Starts a container that disappears with the virtual machine.
	 * @return the server in it
	 */
	// Testcontainers removes the container at the end of the virtual machine.
	@SuppressWarnings("resource")
	static RabbitServer start() {
		RabbitMQContainer container = new RabbitMQContainer(IMAGE);
		container.start();
		return new RabbitServer("amqp://%s:%s@%s:%d".formatted(container.getAdminUsername(),
				container.getAdminPassword(), container.getHost(), container.getAmqpPort()));
	}

}
