package io.whizbang.queue;

import java.time.Duration;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several listeners that hear the same, whatever one of them makes of it.
 */
public final class QueueListeners implements QueueListener {

	private static final Logger logger = LoggerFactory.getLogger(QueueListeners.class);

	private final List<QueueListener> listeners;

	public QueueListeners(List<QueueListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void taken(QueueBatch batch, Duration lateness) {
		tell((listener) -> listener.taken(batch, lateness));
	}

	@Override
	public void consumed(QueueBatch batch, int messages, Duration took) {
		tell((listener) -> listener.consumed(batch, messages, took));
	}

	@Override
	public void failed(QueueBatch batch, Throwable failure, boolean again) {
		tell((listener) -> listener.failed(batch, failure, again));
	}

	@Override
	public void lost(QueueBatch batch) {
		tell((listener) -> listener.lost(batch));
	}

	@Override
	public void roundFailed(Throwable failure) {
		tell((listener) -> listener.roundFailed(failure));
	}

	private void tell(java.util.function.Consumer<QueueListener> news) {
		for (QueueListener listener : this.listeners) {
			try {
				news.accept(listener);
			}
			catch (RuntimeException ex) {
				// What it was told of has happened already.
				logger.warn("A listener of the work queues failed", ex);
			}
		}
	}

}
