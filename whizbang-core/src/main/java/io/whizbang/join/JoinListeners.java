package io.whizbang.join;

import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several listeners that hear the same, whatever one of them makes of it.
 */
public final class JoinListeners implements JoinListener {

	private static final Logger logger = LoggerFactory.getLogger(JoinListeners.class);

	private final List<JoinListener> listeners;

	public JoinListeners(List<JoinListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void counted(int reports) {
		tell((listener) -> listener.counted(reports));
	}

	@Override
	public void closed(JoinResult result) {
		tell((listener) -> listener.closed(result));
	}

	@Override
	public void followUpFailed(JoinResult result, Throwable failure) {
		tell((listener) -> listener.followUpFailed(result, failure));
	}

	@Override
	public void roundFailed(Throwable failure) {
		tell((listener) -> listener.roundFailed(failure));
	}

	private void tell(Consumer<JoinListener> news) {
		for (JoinListener listener : this.listeners) {
			try {
				news.accept(listener);
			}
			catch (RuntimeException ex) {
				// What it was told of has happened already.
				logger.warn("A listener of the joins failed", ex);
			}
		}
	}

}
