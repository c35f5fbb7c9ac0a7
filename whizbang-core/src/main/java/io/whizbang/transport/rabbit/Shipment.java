package io.whizbang.transport.rabbit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.whizbang.message.StreamId;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.rabbit.RabbitSettings.Ordering;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages over one connection, as many at once as their order allows, and finds
 * the one among them for which the broker closes a channel.
 */
final class Shipment {

	/** What a broker says of the exchange, whatever the message. */
	private static final Set<Integer> ABOUT_EXCHANGE = Set.of(AMQP.NOT_FOUND, AMQP.ACCESS_REFUSED);

	private final Connection connection;

	private final AmqpMessages format;

	private final RabbitSettings settings;

	private final Blockage blockage;

	Shipment(Connection connection, AmqpMessages format, RabbitSettings settings, Blockage blockage) {
		this.connection = connection;
		this.format = format;
		this.settings = settings;
		this.blockage = blockage;
	}

	/**
	 * Settles every message.
	 * @throws IOException when the broker is gone; the open messages may have arrived or
	 * not
	 */
	void send(List<Outgoing> batch) throws IOException, InterruptedException {
		boolean alone = false;
		List<Outgoing> open = batch;
		while (!open.isEmpty()) {
			List<Outgoing> wave = alone ? open.subList(0, 1) : wave(open);
			ShutdownSignalException refusal = publish(wave);
			if (refusal != null && wave.size() == 1) {
				refuse(wave.get(0), open, refusal);
			}
			// A channel does not survive a message that it cannot take, and does not say
			// which one it was. So they go one by one until it is found.
			alone = (refusal != null) ? wave.size() > 1 : alone;
			open = open(batch);
		}
	}

	/**
	 * What can go out at once: of a stream, all that has the same target as what is
	 * before it, so that either all can be routed or none.
	 */
	private List<Outgoing> wave(List<Outgoing> open) {
		List<Outgoing> wave = new ArrayList<>(open.size());
		Map<StreamId, Target> ahead = new HashMap<>();
		Set<StreamId> held = new HashSet<>();
		for (Outgoing outgoing : open) {
			StreamId stream = outgoing.stream();
			if (stream == null || !held.contains(stream) && mayFollow(ahead.put(stream, outgoing.target), outgoing)) {
				wave.add(outgoing);
			}
			else {
				held.add(stream);
			}
		}
		return wave;
	}

	private boolean mayFollow(@Nullable Target ahead, Outgoing outgoing) {
		return ahead == null || this.settings.ordering() == Ordering.PIPELINED && ahead.equals(outgoing.target);
	}

	private @Nullable ShutdownSignalException publish(List<Outgoing> wave) throws IOException, InterruptedException {
		try (ConfirmedChannel channel = ConfirmedChannel.open(this.connection)) {
			for (Outgoing outgoing : wave) {
				this.blockage.check();
				if (!channel.publish(outgoing, this.format.properties(outgoing.message),
						this.format.body(outgoing.message))) {
					break;
				}
			}
			return channel.await(this.settings.confirmTimeout());
		}
	}

	private static void refuse(Outgoing culprit, List<Outgoing> open, ShutdownSignalException refusal) {
		String why = text(refusal);
		culprit.refuse(why, refusal);
		if (ABOUT_EXCHANGE.contains(code(refusal))) {
			Set<StreamId> stopped = new HashSet<>();
			open.stream()
				.filter((outgoing) -> outgoing.target.exchange().equals(culprit.target.exchange()))
				.filter((outgoing) -> outgoing.stream() == null || stopped.add(outgoing.stream()))
				.forEach((outgoing) -> outgoing.refuse(why, refusal));
		}
	}

	private static int code(ShutdownSignalException refusal) {
		Method reason = refusal.getReason();
		return (reason instanceof AMQP.Channel.Close close) ? close.getReplyCode() : 0;
	}

	private static String text(ShutdownSignalException refusal) {
		Method reason = refusal.getReason();
		return (reason instanceof AMQP.Channel.Close close) ? close.getReplyCode() + " " + close.getReplyText()
				: String.valueOf(refusal.getMessage());
	}

	/** What is still to be sent; nothing behind a failure in its stream is. */
	private static List<Outgoing> open(List<Outgoing> batch) {
		List<Outgoing> open = new ArrayList<>();
		Set<StreamId> stopped = new HashSet<>();
		for (Outgoing outgoing : batch) {
			StreamId stream = outgoing.stream();
			if (stream != null && stopped.contains(stream)) {
				outgoing.settle(SendResult.notSent());
			}
			else if (outgoing.isOpen()) {
				open.add(outgoing);
			}
			else if (stream != null && !outgoing.isSent()) {
				stopped.add(stream);
			}
		}
		return open;
	}

}
