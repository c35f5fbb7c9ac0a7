package io.whizbang.lease;

import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several listeners that hear the same, whatever one of them makes of it.
 */
public final class LeaseListeners implements LeaseListener {

	private static final Logger logger = LoggerFactory.getLogger(LeaseListeners.class);

	private final List<LeaseListener> listeners;

	public LeaseListeners(List<LeaseListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void acquired(String label) {
		tell((listener) -> listener.acquired(label));
	}

	@Override
	public void refused(String label) {
		tell((listener) -> listener.refused(label));
	}

	@Override
	public void lost(String label) {
		tell((listener) -> listener.lost(label));
	}

	@Override
	public void renewalFailed(Throwable failure) {
		tell((listener) -> listener.renewalFailed(failure));
	}

	private void tell(Consumer<LeaseListener> event) {
		for (LeaseListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				// What it was told of has happened already.
				logger.warn("A listener of the leases failed", ex);
			}
		}
	}

}
