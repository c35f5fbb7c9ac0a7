package io.whizbang.transport.rabbit;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import io.whizbang.transport.Arrival;
import io.whizbang.transport.Intake;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.util.Assert;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Stores what RabbitMQ delivers, and acknowledges it when it is committed. What cannot be
 * stored now is kept in hand and tried again, so that nothing overtakes it.
 */
final class BatchListener implements ChannelAwareBatchMessageListener {

	private static final Logger logger = LoggerFactory.getLogger(BatchListener.class);

	private static final long FIRST_PAUSE_MILLIS = 500;

	private static final long LONGEST_PAUSE_MILLIS = 30_000;

	private final AmqpArrivals arrivals;

	private final Intake intake;

	private final CountDownLatch stopping = new CountDownLatch(1);

	BatchListener(AmqpArrivals arrivals, Intake intake) {
		this.arrivals = arrivals;
		this.intake = intake;
	}

	@Override
	public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
		Assert.state(channel != null, "A batch must come with its channel");
		boolean stored = store(messages.stream().map(this.arrivals::read).toList());
		long last = messages.get(messages.size() - 1).getMessageProperties().getDeliveryTag();
		try {
			if (stored) {
				channel.basicAck(last, true);
			}
			else {
				channel.basicNack(last, true, true);
			}
		}
		catch (IOException ex) {
			// The broker delivers them again, and they are known.
			throw new AmqpIOException(ex);
		}
	}

	private boolean store(List<Arrival> batch) {
		BackOffExecution pauses = pauses().start();
		while (true) {
			try {
				this.intake.take(batch);
				return true;
			}
			catch (RuntimeException ex) {
				long pause = pauses.nextBackOff();
				logger.warn("{} messages from {} cannot be stored and stay with RabbitMQ; next try in {} ms: {}",
						batch.size(), batch.get(0).source(), pause, ex.toString());
				if (isStoppingWithin(pause)) {
					return false;
				}
			}
		}
	}

	/** Also for connections: a broker or a database is away for seconds or for hours. */
	static ExponentialBackOff pauses() {
		ExponentialBackOff pauses = new ExponentialBackOff(FIRST_PAUSE_MILLIS, 2);
		pauses.setMaxInterval(LONGEST_PAUSE_MILLIS);
		return pauses;
	}

	private boolean isStoppingWithin(long millis) {
		try {
			return this.stopping.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	/** Lets go of what cannot be stored. */
	void stop() {
		this.stopping.countDown();
	}

}
