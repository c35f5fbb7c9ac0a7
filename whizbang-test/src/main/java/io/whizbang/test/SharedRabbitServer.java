package io.whizbang.test;

import java.io.IOException;

import com.rabbitmq.client.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * Looks, once per virtual machine, for a RabbitMQ that tests can share.
 */
final class SharedRabbitServer {

	static final String URL_VARIABLE = "WHIZBANG_TEST_RABBIT_URL";

	static final String REQUIRED_VARIABLE = "WHIZBANG_TEST_RABBIT_REQUIRED";

	private static final Logger logger = LoggerFactory.getLogger(SharedRabbitServer.class);

	private static boolean looked;

	private static @Nullable RabbitServer server;

	private SharedRabbitServer() {
	}

	static synchronized @Nullable RabbitServer find() {
		if (!looked) {
			server = look();
			looked = true;
			logger.info("Tests run on {}", server);
		}
		return server;
	}

	static boolean isRequired() {
		return Boolean.parseBoolean(TestSettings.get("rabbit.required"));
	}

	private static @Nullable RabbitServer look() {
		String uri = TestSettings.get("rabbit.url");
		if (uri != null) {
			return new RabbitServer(uri);
		}
		RabbitServer local = new RabbitServer(RabbitServer.LOCAL);
		return answers(local) ? local : container();
	}

	private static boolean answers(RabbitServer server) {
		try (Connection connection = server.connect()) {
			return connection.isOpen();
		}
		catch (IOException ex) {
			logger.debug("{} does not answer", server, ex);
			return false;
		}
	}

	private static @Nullable RabbitServer container() {
		ClassLoader classLoader = SharedRabbitServer.class.getClassLoader();
		if (!ClassUtils.isPresent("org.testcontainers.rabbitmq.RabbitMQContainer", classLoader) || !Docker.answers()) {
			return null;
		}
		try {
			return ContainerRabbitServer.start();
		}
		catch (RuntimeException ex) {
			logger.warn("No container with RabbitMQ for tests: {}", ex.toString());
			return null;
		}
	}

}
