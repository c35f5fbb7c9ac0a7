package io.whizbang.queue;

import java.util.List;

import io.whizbang.message.MessageCodec;
import io.whizbang.work.RetryPolicy;

/**
 * Who takes the messages of a queue.
 *
 * @param queue name of the queue
 * @param concurrency how many batches are under way here at once
 * @param batchSize how many messages of a key come at once
 * @param together whether it takes all messages of a batch at once
 * @param transactional whether its effects and the end of its messages commit together
 * @param retry when failed messages are tried again
 * @param call calls it
 */
record Consumer(String queue, int concurrency, int batchSize, boolean together, boolean transactional,
		RetryPolicy retry, Call call) {

	/** Calls the application's code. */
	@FunctionalInterface
	interface Call {

		/**
		 * Calls it.
		 * @param batch the batch
		 * @param messages those of its messages that are meant
		 * @param codec reads payloads
		 * @throws Exception what it throws
		 */
		void call(QueueBatch batch, List<QueuedMessage> messages, MessageCodec codec) throws Exception;

	}

}
