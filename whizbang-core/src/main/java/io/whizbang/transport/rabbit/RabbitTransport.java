package io.whizbang.transport.rabbit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import com.rabbitmq.client.ShutdownSignalException;
import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import io.whizbang.transport.CloudEvents;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Sends to RabbitMQ and waits until the broker has confirmed every message. A message
 * that leads to no queue has failed.
 */
public final class RabbitTransport implements Transport {

	/** Name that routes refer to. */
	public static final String NAME = "rabbit";

	private final ConnectionFactory connections;

	private final AmqpMessages format;

	private final RabbitSettings settings;

	private final Targets targets;

	private final Blockage blockage = new Blockage();

	/**
	 * Creates a transport. It uses channels of its own on the connection that the factory
	 * keeps for publishers, so that confirms need not be switched on there.
	 * @param connections where the broker is
	 * @param events how messages are written
	 * @param service name of the application, for the broker's tools
	 * @param settings where messages go
	 */
	public RabbitTransport(ConnectionFactory connections, CloudEvents events, String service, RabbitSettings settings) {
		ConnectionFactory forPublishers = connections.getPublisherConnectionFactory();
		this.connections = (forPublishers != null) ? forPublishers : connections;
		this.connections.addConnectionListener(this.blockage);
		this.format = new AmqpMessages(events, service);
		this.settings = settings;
		this.targets = new Targets(settings);
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public List<SendResult> send(List<Envelope> messages) {
		List<Outgoing> batch = messages.stream()
			.map((message) -> new Outgoing(message, this.targets.find(message.topic())))
			.toList();
		return results(batch, deliver(batch));
	}

	/** Returns what becomes of the messages about which the broker said nothing. */
	private SendResult deliver(List<Outgoing> batch) {
		try (Connection connection = this.connections.createConnection()) {
			this.blockage.check();
			new Shipment(connection.getDelegate(), this.format, this.settings, this.blockage).send(batch);
			return SendResult.notSent();
		}
		catch (AmqpException | ShutdownSignalException | IOException ex) {
			return SendResult.unreachable(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return SendResult.unreachable(ex);
		}
	}

	private static List<SendResult> results(List<Outgoing> batch, SendResult ofOpen) {
		List<SendResult> results = new ArrayList<>(batch.size());
		Set<StreamId> stopped = new HashSet<>();
		for (Outgoing outgoing : batch) {
			StreamId stream = outgoing.stream();
			boolean behindFailure = stream != null && stopped.contains(stream);
			results.add(behindFailure ? SendResult.notSent() : outgoing.resultOr(ofOpen));
			if (stream != null && !outgoing.isSent()) {
				stopped.add(stream);
			}
		}
		return results;
	}

}
