package io.whizbang.transport.rabbit;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import io.whizbang.transport.SendResult;
import org.jspecify.annotations.Nullable;

/**
 * A channel on which the broker answers for every message: it has it, it knows no queue
 * for it, or it cannot take it.
 */
final class ConfirmedChannel implements AutoCloseable {

	private final Channel channel;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition answered = this.lock.newCondition();

	private final NavigableMap<Long, Outgoing> unconfirmed = new TreeMap<>();

	private final Map<String, Outgoing> published = new HashMap<>();

	private ConfirmedChannel(Channel channel) {
		this.channel = channel;
	}

	static ConfirmedChannel open(Connection connection) throws IOException {
		Channel channel = connection.createChannel();
		if (channel == null) {
			throw new IOException("The connection to RabbitMQ has no channel left");
		}
		ConfirmedChannel confirmed = new ConfirmedChannel(channel);
		channel.addReturnListener(confirmed::returned);
		channel.addConfirmListener(confirmed::taken, confirmed::refused);
		channel.addShutdownListener((cause) -> confirmed.closed());
		channel.confirmSelect();
		return confirmed;
	}

	/**
	 * Publishes without waiting for the answer.
	 * @return whether more can be published here
	 */
	boolean publish(Outgoing outgoing, BasicProperties properties, byte[] body) throws IOException {
		long number = this.channel.getNextPublishSeqNo();
		locked(() -> {
			this.unconfirmed.put(number, outgoing);
			this.published.put(outgoing.message.id().toString(), outgoing);
		});
		Target target = outgoing.target;
		try {
			this.channel.basicPublish(target.exchange(), target.routingKey(), true, properties, body);
			return true;
		}
		catch (AlreadyClosedException ex) {
			return false;
		}
		catch (RuntimeException ex) {
			// It cannot be written as AMQP, and from here on the client may number
			// messages other than the broker does.
			locked(() -> this.unconfirmed.remove(number));
			outgoing.refuse(String.valueOf(ex.getMessage()), ex);
			return false;
		}
	}

	/**
	 * Waits until the broker has answered for everything that was published.
	 * @return why the broker closed the channel before it had, or {@code null}
	 * @throws IOException when the broker cannot answer any more
	 */
	@Nullable ShutdownSignalException await(Duration timeout) throws IOException, InterruptedException {
		long nanos = timeout.toNanos();
		this.lock.lockInterruptibly();
		try {
			while (!this.unconfirmed.isEmpty() && this.channel.isOpen()) {
				if (nanos <= 0) {
					throw new IOException("RabbitMQ did not confirm %d of %d messages within %s"
						.formatted(this.unconfirmed.size(), this.published.size(), timeout));
				}
				nanos = this.answered.awaitNanos(nanos);
			}
			return this.unconfirmed.isEmpty() ? null : refusal(this.channel.getCloseReason());
		}
		finally {
			this.lock.unlock();
		}
	}

	private static ShutdownSignalException refusal(ShutdownSignalException reason) throws IOException {
		if (reason.isHardError()) {
			throw new IOException("The connection to RabbitMQ was lost", reason);
		}
		return reason;
	}

	/** Comes before the confirm of the same message. */
	private void returned(Return answer) {
		locked(() -> {
			Outgoing outgoing = this.published.get(answer.getProperties().getMessageId());
			if (outgoing != null) {
				outgoing
					.refuse("it leads to no queue (%d %s); bind one, or correct the topic's exchange and routing key"
						.formatted(answer.getReplyCode(), answer.getReplyText()), null);
			}
		});
	}

	private void taken(long number, boolean multiple) {
		settle(number, multiple, (outgoing) -> outgoing.settle(SendResult.sent()));
	}

	private void refused(long number, boolean multiple) {
		settle(number, multiple,
				(outgoing) -> outgoing.refuse("a queue is full or cannot store it (negative confirm)", null));
	}

	private void settle(long number, boolean multiple, Consumer<Outgoing> answer) {
		locked(() -> {
			NavigableMap<Long, Outgoing> meant = this.unconfirmed.subMap(multiple ? 0 : number, true, number, true);
			meant.values().forEach(answer);
			meant.clear();
			this.answered.signalAll();
		});
	}

	private void closed() {
		locked(this.answered::signalAll);
	}

	private void locked(Runnable action) {
		this.lock.lock();
		try {
			action.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits for some seconds at most, also when the broker does not answer. */
	@Override
	public void close() throws IOException {
		this.channel.abort();
	}

}
