package io.whizbang.worker;

import java.util.BitSet;
import java.util.Locale;
import java.util.stream.Collectors;

import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Tells other instances that a queue got messages. As text: the queue, the epoch and the
 * ranks, such as {@code outbox 17 0,3}, or {@code *} for everyone.
 *
 * @param queue the queue's label
 * @param epoch the view of the members that the ranks belong to
 * @param ranks whose share got messages, or {@code null} when everyone should look
 */
public record Announcement(String queue, int epoch, @Nullable BitSet ranks) {

	private static final String EVERYONE = "*";

	/** PostgreSQL takes less than 8000 bytes; long before that everyone is concerned. */
	private static final int MANY_RANKS = 500;

	public static Announcement toEveryone(Queue queue) {
		return new Announcement(queue.label(), -1, null);
	}

	boolean concerns(Queue queue, Share share) {
		if (!this.queue.equals(queue.label())) {
			return false;
		}
		return this.ranks == null || this.epoch != share.epoch() || !share.isKnown() || this.ranks.get(share.rank());
	}

	/** Returns what tells both. */
	Announcement and(Announcement other) {
		if (this.ranks == null || other.ranks == null || this.epoch != other.epoch) {
			return new Announcement(this.queue, this.epoch, null);
		}
		BitSet both = (BitSet) this.ranks.clone();
		both.or(other.ranks);
		return new Announcement(this.queue, this.epoch, both);
	}

	String text() {
		String ranks = (this.ranks == null || this.ranks.cardinality() > MANY_RANKS) ? EVERYONE
				: this.ranks.stream().mapToObj(Integer::toString).collect(Collectors.joining(","));
		return String.format(Locale.ROOT, "%s %d %s", this.queue, this.epoch, ranks);
	}

	/**
	 * Reads an announcement.
	 * @param text the text, possibly of another release
	 * @return the announcement, or {@code null} when it makes no sense
	 */
	static @Nullable Announcement parse(String text) {
		String[] words = text.split(" ", -1);
		if (words.length < 3) {
			return null;
		}
		try {
			return new Announcement(words[0], Integer.parseInt(words[1]), ranks(words[2]));
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	private static @Nullable BitSet ranks(String text) {
		if (EVERYONE.equals(text)) {
			return null;
		}
		BitSet ranks = new BitSet();
		for (String rank : text.split(",", -1)) {
			ranks.set(Integer.parseUnsignedInt(rank));
		}
		return ranks;
	}

}
