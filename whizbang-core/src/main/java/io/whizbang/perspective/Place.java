package io.whizbang.perspective;

import org.jspecify.annotations.Nullable;

/**
 * How far a shard has come: all that was visible at base, and of what became visible
 * between base and target all up to a position.
 *
 * @param base what is done
 * @param target what is being read, or {@code null}
 * @param position how far that is done
 */
record Place(Tick base, @Nullable Tick target, long position) {

	static Place at(Tick base) {
		return new Place(base, null, 0);
	}

	Place towards(Tick target) {
		return new Place(this.base, target, 0);
	}

	/** The place behind a position, or at the target itself when that is all. */
	Place behind(long position, boolean finished) {
		Tick target = this.target;
		return (finished && target != null) ? at(target) : new Place(this.base, target, position);
	}

}
