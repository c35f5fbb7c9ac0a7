package io.whizbang.transport.rabbit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.whizbang.test.Await;
import io.whizbang.test.RabbitServer;

/**
 * RabbitMQ's own client, which knows nothing of Whizbang. Its queues and exchanges have
 * names that nobody else has, and disappear with it.
 */
final class RabbitClient implements AutoCloseable {

	/** In case that a test is killed. */
	private static final int EXPIRY_MILLIS = 300_000;

	private final String prefix = "whizbang-test-" + UUID.randomUUID() + ".";

	private final Connection connection;

	private final Channel channel;

	private final List<String> shared = new ArrayList<>();

	RabbitClient(RabbitServer server) throws IOException {
		this.connection = server.connect();
		this.channel = this.connection.createChannel();
	}

	String name(String suffix) {
		return this.prefix + suffix;
	}

	String queue(String suffix, Map<String, Object> arguments) throws IOException {
		return this.channel.queueDeclare(name(suffix), false, true, true, arguments).getQueue();
	}

	String queue(String suffix) throws IOException {
		return queue(suffix, Map.of());
	}

	/** A queue that others may consume from and that outlives them. */
	String sharedQueue(String suffix) throws IOException {
		String queue = this.channel.queueDeclare(name(suffix), true, false, false, Map.of("x-expires", EXPIRY_MILLIS))
			.getQueue();
		this.shared.add(queue);
		return queue;
	}

	void publish(String queue, BasicProperties properties, String payload) throws IOException {
		this.channel.basicPublish("", queue, properties, payload.getBytes(StandardCharsets.UTF_8));
	}

	/** An exchange with a queue of the same name behind it. */
	String exchange(String suffix, String bindingKey) throws IOException {
		this.channel.exchangeDeclare(name(suffix), "topic", false, true, Map.of());
		this.channel.queueBind(queue(suffix), name(suffix), bindingKey);
		return name(suffix);
	}

	long count(String queue) throws IOException {
		return this.channel.messageCount(queue);
	}

	GetResponse next(String queue) throws IOException {
		List<GetResponse> taken = new ArrayList<>();
		Await.until("a message in " + queue, () -> {
			GetResponse response = this.channel.basicGet(queue, true);
			return response != null && taken.add(response);
		});
		return taken.get(0);
	}

	/** Takes all payloads that are there. */
	List<String> payloads(String queue) throws IOException {
		List<String> payloads = new ArrayList<>();
		GetResponse response = this.channel.basicGet(queue, true);
		while (response != null) {
			payloads.add(new String(response.getBody(), StandardCharsets.UTF_8));
			response = this.channel.basicGet(queue, true);
		}
		return payloads;
	}

	@Override
	public void close() throws IOException {
		for (String queue : this.shared) {
			this.channel.queueDelete(queue);
		}
		this.connection.close();
	}

}
