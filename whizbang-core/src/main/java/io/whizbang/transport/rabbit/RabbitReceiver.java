package io.whizbang.transport.rabbit;

import java.util.List;

import io.whizbang.transport.Intake;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Receives from RabbitMQ: a message is acknowledged when it is stored, and stays with the
 * broker until then.
 */
public final class RabbitReceiver implements SmartLifecycle {

	private final ConnectionFactory connections;

	private final Intake intake;

	private final List<RabbitListenerSettings> listeners;

	private final int phase;

	private List<QueueConsumers> consumers = List.of();

	private volatile boolean running;

	/**
	 * Creates a receiver.
	 * @param connections where the broker is
	 * @param intake who gets the messages
	 * @param listeners which queues to receive from
	 * @param phase when to start and stop: before whoever handles the messages stops
	 */
	public RabbitReceiver(ConnectionFactory connections, Intake intake, List<RabbitListenerSettings> listeners,
			int phase) {
		this.connections = connections;
		this.intake = intake;
		this.listeners = List.copyOf(listeners);
		this.phase = phase;
	}

	@Override
	public synchronized void start() {
		if (!this.running) {
			this.consumers = this.listeners.stream()
				.map((listener) -> new QueueConsumers(this.connections, listener, this.intake))
				.toList();
			this.consumers.forEach(QueueConsumers::start);
			this.running = true;
		}
	}

	@Override
	public synchronized void stop() {
		this.consumers.forEach(QueueConsumers::beginStop);
		this.consumers.forEach(QueueConsumers::stop);
		this.consumers = List.of();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return this.phase;
	}

}
