package io.whizbang.autoconfigure;

import java.util.List;
import java.util.function.Consumer;

import io.whizbang.lease.LeaseListener;

/**
 * Several listeners that hear the same.
 */
final class LeaseListeners implements LeaseListener {

	private final List<LeaseListener> listeners;

	LeaseListeners(List<LeaseListener> listeners) {
		this.listeners = listeners;
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
		this.listeners.forEach(event);
	}

}
