package io.whizbang.worker;

import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicies;
import io.whizbang.work.WorkHandler;
import io.whizbang.work.WorkListener;

/**
 * What a worker does with the messages of a queue.
 *
 * @param queue the queue
 * @param handler does the work
 * @param retries says what becomes of work whose handler threw
 * @param listener hears what happens
 */
public record QueueWork(Queue queue, WorkHandler handler, RetryPolicies retries, WorkListener listener) {
}
