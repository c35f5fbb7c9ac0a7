package io.whizbang.letter;

import java.util.UUID;

import io.whizbang.message.StreamId;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A letter that somebody wants to decide about.
 *
 * @param id its number
 * @param queue its queue
 * @param spreadBy what decides the partition of its message, or {@code null} when it
 * never was one
 */
record PickedLetter(long id, Queue queue, @Nullable UUID spreadBy) {

	boolean isMessage() {
		return this.spreadBy != null;
	}

	int partitionHash() {
		return (this.spreadBy != null) ? StreamId.partitionHash(this.spreadBy) : 0;
	}

}
