package io.whizbang.transport.rabbit;

import io.whizbang.transport.Intake;

import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/**
 * The consumers of one listener, from their start to their stop.
 */
final class QueueConsumers {

	/** How long a consumer waits for one more message before it stores what it has. */
	private static final long LULL_MILLIS = 20;

	/** How long it gathers at most while messages trickle. */
	private static final long GATHERING_MILLIS = 100;

	private final BatchListener listener;

	private final SimpleMessageListenerContainer container;

	QueueConsumers(ConnectionFactory connections, RabbitListenerSettings settings, Intake intake) {
		this.listener = new BatchListener(new AmqpArrivals(settings), intake);
		this.container = new SimpleMessageListenerContainer(connections);
		this.container.setQueueNames(settings.queues().toArray(String[]::new));
		this.container.setMessageListener(this.listener);
		this.container.setAcknowledgeMode(AcknowledgeMode.MANUAL);
		this.container.setConsumerBatchEnabled(true);
		this.container.setBatchSize(settings.batchSize());
		this.container.setPrefetchCount(settings.prefetch());
		this.container.setConcurrentConsumers(settings.concurrency());
		this.container.setReceiveTimeout(LULL_MILLIS);
		this.container.setBatchReceiveTimeout(GATHERING_MILLIS);
		// Whatever is wrong at the broker may be put right while the application runs.
		this.container.setMissingQueuesFatal(false);
		this.container.setPossibleAuthenticationFailureFatal(false);
		this.container.setDeclarationRetries(0);
		this.container.setRecoveryBackOff(BatchListener.pauses());
		this.container.setListenerId("whizbang-rabbit-" + settings.queues().get(0));
		this.container.afterPropertiesSet();
	}

	void start() {
		this.container.start();
	}

	/** Lets go of what cannot be stored, so that the stop need not wait for it. */
	void beginStop() {
		this.listener.stop();
	}

	void stop() {
		this.container.stop();
		this.container.destroy();
	}

}
