package io.whizbang.transport.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.transport.Arrival;
import io.whizbang.transport.Intake;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.kafka.listener.BatchAcknowledgingMessageListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.util.Assert;

/**
 * Hands each poll's records over as a whole, and acknowledges them when they are stored.
 * While they cannot be stored, they are read again and again, ever more slowly.
 */
final class KafkaReceiver implements BatchAcknowledgingMessageListener<byte[], byte[]> {

	private static final Logger logger = LoggerFactory.getLogger(KafkaReceiver.class);

	private static final Duration FIRST_DELAY = Duration.ofMillis(500);

	private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

	private final KafkaArrivals arrivals;

	private final Intake intake;

	private final AtomicInteger failures = new AtomicInteger();

	KafkaReceiver(KafkaSubscription subscription, Intake intake) {
		this.arrivals = new KafkaArrivals(subscription);
		this.intake = intake;
	}

	@Override
	public void onMessage(List<ConsumerRecord<byte[], byte[]>> records, @Nullable Acknowledgment acknowledgment) {
		Assert.state(acknowledgment != null, "Records must be acknowledged by hand");
		if (take(records)) {
			acknowledgment.acknowledge();
		}
		else {
			acknowledgment.nack(0, delay(this.failures.incrementAndGet()));
		}
	}

	private boolean take(List<ConsumerRecord<byte[], byte[]>> records) {
		List<Arrival> batch = records.stream().map(this.arrivals::arrival).toList();
		try {
			this.intake.take(batch);
			this.failures.set(0);
			return true;
		}
		catch (RuntimeException ex) {
			logger.warn("{} records of {} could not be stored; they stay in Kafka and are read again", batch.size(),
					records.get(0).topic(), ex);
			return false;
		}
	}

	private static Duration delay(int failures) {
		Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(failures - 1, 10));
		return (delay.compareTo(LONGEST_DELAY) < 0) ? delay : LONGEST_DELAY;
	}

}
