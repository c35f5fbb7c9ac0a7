package io.whizbang.queue;

import java.util.List;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.MessageObservations;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * What the consumption of work queues is made of.
 *
 * @param store where messages are taken from
 * @param consumers who takes them
 * @param codec how payloads are read
 * @param transactions the application's transactions on the store's database
 * @param settings how this instance goes about it
 * @param info who this instance is
 * @param observations who observes
 * @param listener who wants to know
 */
public record QueueParts(JdbcQueueStore store, QueueConsumers consumers, MessageCodec codec,
		PlatformTransactionManager transactions, QueueSettings settings, InstanceInfo info,
		MessageObservations observations, QueueListener listener) {

	public QueueParts {
		listener = (listener instanceof QueueListeners) ? listener : new QueueListeners(List.of(listener));
	}

}
