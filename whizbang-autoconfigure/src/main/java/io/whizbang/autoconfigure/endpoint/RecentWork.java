package io.whizbang.autoconfigure.endpoint;

import java.time.Duration;

import io.whizbang.control.Throughput;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.PerspectiveListener;
import io.whizbang.perspective.PerspectiveRun;
import io.whizbang.queue.QueueBatch;
import io.whizbang.queue.QueueListener;
import io.whizbang.work.Queue;

/**
 * Counts for the overview what perspectives and consumers of work queues have done.
 */
final class RecentWork implements QueueListener, PerspectiveListener {

	private final Throughput throughput;

	RecentWork(Throughput throughput) {
		this.throughput = throughput;
	}

	@Override
	public void consumed(QueueBatch batch, int messages, Duration took) {
		this.throughput.ended(Queue.QUEUES, messages, 0);
	}

	@Override
	public void failed(QueueBatch batch, Throwable failure, boolean again) {
		this.throughput.ended(Queue.QUEUES, 0, 1);
	}

	@Override
	public void applied(PerspectiveRun run, int applied, int passed, Duration took) {
		this.throughput.ended(Queue.PERSPECTIVES, applied + passed, 0);
	}

	@Override
	public void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
		this.throughput.ended(Queue.PERSPECTIVES, 0, 1);
	}

	@Override
	public void dead(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
		this.throughput.ended(Queue.PERSPECTIVES, 0, 1);
	}

	@Override
	public void roundFailed(Throwable failure) {
		// That is no work.
	}

}
