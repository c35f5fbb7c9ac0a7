package io.whizbang.worker;

import java.util.BitSet;
import java.util.function.Consumer;

import io.whizbang.coordinator.WorkBatch;
import io.whizbang.work.Queue;

/**
 * Tells the other instances of a queue what an exchange has changed for them.
 */
final class Neighbours {

	private final Queue queue;

	private final Consumer<Announcement> announcer;

	Neighbours(Queue queue, Consumer<Announcement> announcer) {
		this.queue = queue;
		this.announcer = announcer;
	}

	/** Tells of new members, and of messages that have moved into others' shares. */
	void answered(Share before, WorkBatch batch) {
		if (before.epoch() != batch.epoch() && batch.members() > 1) {
			changed();
		}
		moved(batch);
	}

	/**
	 * Whoever does not know of the change yet believes other shares to be its own, and
	 * tells nobody of what comes in there; nor was told of it whoever has them now.
	 */
	void changed() {
		this.announcer.accept(Announcement.toEveryone(this.queue));
	}

	/**
	 * Others may have looked a moment too early, or while these messages were under way.
	 */
	private void moved(WorkBatch batch) {
		BitSet ranks = new BitSet();
		batch.movedTo().forEach(ranks::set);
		if (batch.rank() >= 0) {
			ranks.clear(batch.rank());
		}
		if (!ranks.isEmpty()) {
			this.announcer.accept(new Announcement(this.queue.label(), batch.epoch(), ranks));
		}
	}

}
