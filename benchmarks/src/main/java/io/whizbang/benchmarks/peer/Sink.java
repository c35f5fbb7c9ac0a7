package io.whizbang.benchmarks.peer;

import java.util.function.Consumer;

import io.whizbang.benchmarks.Payload;
import org.jspecify.annotations.Nullable;

/**
 * Where a handler that outlives a measurement delivers to.
 */
final class Sink implements Consumer<Payload> {

	private volatile @Nullable Consumer<Payload> target;

	void open(Consumer<Payload> delivered) {
		this.target = delivered;
	}

	void close() {
		this.target = null;
	}

	boolean isOpen() {
		return this.target != null;
	}

	@Override
	public void accept(Payload payload) {
		Consumer<Payload> open = this.target;
		if (open != null) {
			open.accept(payload);
		}
	}

}
