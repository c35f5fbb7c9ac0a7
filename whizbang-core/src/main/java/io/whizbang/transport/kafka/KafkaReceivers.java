package io.whizbang.transport.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.whizbang.transport.Intake;

import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;

/**
 * Receives from Kafka while the application runs.
 */
public final class KafkaReceivers implements SmartLifecycle {

	private static final Duration AUTHENTICATION_RETRY = Duration.ofSeconds(10);

	private final List<ConcurrentMessageListenerContainer<byte[], byte[]>> containers;

	private final int phase;

	/**
	 * Creates the receivers.
	 * @param subscriptions what is received
	 * @param consumers makes consumers for a subscription, from {@link KafkaConsumers}
	 * @param intake who gets what is received
	 * @param phase when to start and stop: before whoever handles the messages stops
	 */
	public KafkaReceivers(List<KafkaSubscription> subscriptions,
			Function<KafkaSubscription, ConsumerFactory<byte[], byte[]>> consumers, Intake intake, int phase) {
		this.containers = subscriptions.stream()
			.map((subscription) -> container(subscription, consumers.apply(subscription), intake))
			.toList();
		this.phase = phase;
	}

	private static ConcurrentMessageListenerContainer<byte[], byte[]> container(KafkaSubscription subscription,
			ConsumerFactory<byte[], byte[]> consumers, Intake intake) {
		ContainerProperties properties = new ContainerProperties(subscription.topics().toArray(String[]::new));
		properties.setGroupId(subscription.group());
		properties.setAckMode(ContainerProperties.AckMode.MANUAL);
		properties.setMessageListener(new KafkaReceiver(subscription, intake));
		// Else a refused login would end the receiver for good.
		properties.setAuthExceptionRetryInterval(AUTHENTICATION_RETRY);
		ConcurrentMessageListenerContainer<byte[], byte[]> container = new ConcurrentMessageListenerContainer<>(
				consumers, properties);
		container.setConcurrency(subscription.concurrency());
		container.setBeanName("whizbang-kafka-" + subscription.group());
		return container;
	}

	@Override
	public void start() {
		this.containers.forEach(ConcurrentMessageListenerContainer::start);
	}

	@Override
	public void stop() {
		this.containers.forEach(ConcurrentMessageListenerContainer::stop);
	}

	@Override
	public void stop(Runnable callback) {
		AtomicInteger running = new AtomicInteger(this.containers.size());
		if (running.get() == 0) {
			callback.run();
		}
		this.containers.forEach((container) -> container.stop(() -> {
			if (running.decrementAndGet() == 0) {
				callback.run();
			}
		}));
	}

	@Override
	public boolean isRunning() {
		return this.containers.stream().anyMatch(ConcurrentMessageListenerContainer::isRunning);
	}

	@Override
	public int getPhase() {
		return this.phase;
	}

}
