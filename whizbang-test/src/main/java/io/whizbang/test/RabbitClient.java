package io.whizbang.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ's own client, which knows nothing of Whizbang: the other side in a test. Its
 * queues and exchanges have names that nobody else has, and disappear with it.
 */
public final class RabbitClient implements AutoCloseable {

	/** In case that a test is killed. */
	private static final int EXPIRY_MILLIS = 300_000;

	private final String prefix = "whizbang-test-" + UUID.randomUUID() + ".";

	private final List<String> queues = new ArrayList<>();

	private final List<String> exchanges = new ArrayList<>();

	private final Connection connection;

	private final Channel channel;

	/**
	 * Connects a client.
	 * @param server the server
	 * @throws IOException when the server does not answer
	 */
	public RabbitClient(RabbitServer server) throws IOException {
		this.connection = server.connect();
		this.channel = this.connection.createChannel();
	}

	/**
	 * Returns the full name of something of this client.
	 * @param suffix what the test calls it
	 * @return the name
	 */
	public String name(String suffix) {
		return this.prefix + suffix;
	}

	/**
	 * Declares a queue.
	 * @param suffix what the test calls it
	 * @return its name
	 * @throws IOException when the server refuses
	 */
	public String queue(String suffix) throws IOException {
		return queue(suffix, Map.of());
	}

	/**
	 * Declares a queue.
	 * @param suffix what the test calls it
	 * @param arguments its arguments
	 * @return its name
	 * @throws IOException when the server refuses
	 */
	public String queue(String suffix, Map<String, Object> arguments) throws IOException {
		Map<String, Object> all = new HashMap<>(arguments);
		all.put("x-expires", EXPIRY_MILLIS);
		this.channel.queueDeclare(name(suffix), true, false, false, all);
		this.queues.add(name(suffix));
		return name(suffix);
	}

	/**
	 * Declares a topic exchange and a queue of the same name behind it.
	 * @param suffix what the test calls them
	 * @param bindingKey what the queue gets
	 * @return their name
	 * @throws IOException when the server refuses
	 */
	public String exchange(String suffix, String bindingKey) throws IOException {
		this.channel.exchangeDeclare(name(suffix), "topic");
		this.exchanges.add(name(suffix));
		this.channel.queueBind(queue(suffix), name(suffix), bindingKey);
		return name(suffix);
	}

	/**
	 * Sends a message to a queue.
	 * @param queue its name
	 * @param properties the message's properties, or {@code null}
	 * @param payload the message's payload
	 * @throws IOException when the server does not answer
	 */
	public void publish(String queue, @Nullable BasicProperties properties, String payload) throws IOException {
		this.channel.basicPublish("", queue, properties, payload.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Returns how many messages wait in a queue.
	 * @param queue its name
	 * @return the number
	 * @throws IOException when the server does not answer
	 */
	public long count(String queue) throws IOException {
		return this.channel.messageCount(queue);
	}

	/**
	 * Takes the next message of a queue, and waits for it.
	 * @param queue its name
	 * @return the message
	 */
	public GetResponse next(String queue) {
		List<GetResponse> taken = new ArrayList<>();
		Await.until("a message in " + queue, () -> {
			GetResponse response = this.channel.basicGet(queue, true);
			return response != null && taken.add(response);
		});
		return taken.get(0);
	}

	/**
	 * Takes all messages that are in a queue now.
	 * @param queue its name
	 * @return their payloads
	 * @throws IOException when the server does not answer
	 */
	public List<String> payloads(String queue) throws IOException {
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
		for (String exchange : this.exchanges) {
			this.channel.exchangeDelete(exchange);
		}
		for (String queue : this.queues) {
			this.channel.queueDelete(queue);
		}
		this.connection.close();
	}

}
