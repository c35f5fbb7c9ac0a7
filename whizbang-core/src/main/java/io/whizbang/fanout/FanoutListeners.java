package io.whizbang.fanout;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several listeners that hear the same, whatever one of them makes of it.
 */
public final class FanoutListeners implements FanoutListener {

	private static final Logger logger = LoggerFactory.getLogger(FanoutListeners.class);

	private final List<FanoutListener> listeners;

	public FanoutListeners(List<FanoutListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void planned(String topic, int slices) {
		tell((listener) -> listener.planned(topic, slices));
	}

	@Override
	public void ran(String topic, Duration lateness, Duration took) {
		tell((listener) -> listener.ran(topic, lateness, took));
	}

	@Override
	public void failed(String topic, Throwable failure) {
		tell((listener) -> listener.failed(topic, failure));
	}

	@Override
	public void refused(String topic, String problem) {
		tell((listener) -> listener.refused(topic, problem));
	}

	@Override
	public void completed(FanoutSlice slice, Duration lateness, Duration took) {
		tell((listener) -> listener.completed(slice, lateness, took));
	}

	@Override
	public void repeated(FanoutSlice slice) {
		tell((listener) -> listener.repeated(slice));
	}

	@Override
	public void roundFailed(Throwable failure) {
		tell((listener) -> listener.roundFailed(failure));
	}

	private void tell(Consumer<FanoutListener> news) {
		for (FanoutListener listener : this.listeners) {
			try {
				news.accept(listener);
			}
			catch (RuntimeException ex) {
				// What it was told of has happened already.
				logger.warn("A listener of the fan-outs failed", ex);
			}
		}
	}

}
