package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.whizbang.message.StreamId;
import io.whizbang.perspective.PerspectiveListener;
import io.whizbang.perspective.PerspectiveRun;

/**
 * Several listeners that hear the same.
 */
final class PerspectiveListeners implements PerspectiveListener {

	private final List<PerspectiveListener> listeners;

	private PerspectiveListeners(List<PerspectiveListener> listeners) {
		this.listeners = listeners;
	}

	static PerspectiveListener of(List<PerspectiveListener> listeners) {
		return switch (listeners.size()) {
			case 0 -> PerspectiveListener.NONE;
			case 1 -> listeners.get(0);
			default -> new PerspectiveListeners(listeners);
		};
	}

	@Override
	public void started() {
		tell(PerspectiveListener::started);
	}

	@Override
	public void idle() {
		tell(PerspectiveListener::idle);
	}

	@Override
	public void notReady(int misses) {
		tell((listener) -> listener.notReady(misses));
	}

	@Override
	public void applied(PerspectiveRun run, int applied, int passed, Duration took) {
		tell((listener) -> listener.applied(run, applied, passed, took));
	}

	@Override
	public void failed(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
		tell((listener) -> listener.failed(run, stream, version, attempts, failure));
	}

	@Override
	public void dead(PerspectiveRun run, StreamId stream, long version, int attempts, Throwable failure) {
		tell((listener) -> listener.dead(run, stream, version, attempts, failure));
	}

	@Override
	public void recovered(PerspectiveRun run, StreamId stream) {
		tell((listener) -> listener.recovered(run, stream));
	}

	@Override
	public void shardLost(PerspectiveRun run) {
		tell((listener) -> listener.shardLost(run));
	}

	@Override
	public void roundFailed(Throwable failure) {
		tell((listener) -> listener.roundFailed(failure));
	}

	@Override
	public void switched(PerspectiveRun from, PerspectiveRun to) {
		tell((listener) -> listener.switched(from, to));
	}

	private void tell(Consumer<PerspectiveListener> event) {
		this.listeners.forEach(event);
	}

}
