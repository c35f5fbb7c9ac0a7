package io.whizbang.perspective;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A page that is being applied, in one or several transactions: how far that is, and
 * where its streams stand.
 */
final class OpenPage {

	private final ShardGroup group;

	private final FeedPage page;

	private final int size;

	private final Map<UUID, StreamMark> marks = new HashMap<>();

	private final Set<UUID> missed;

	private int next;

	private OpenPage(ShardGroup group, FeedPage page, int size, Set<UUID> missed) {
		this.group = group;
		this.page = page;
		this.size = size;
		this.missed = missed;
		for (FeedEvent event : page.events()) {
			StreamMark mark = event.mark();
			if (mark != null) {
				this.marks.put(event.event().streamId(), mark);
			}
		}
	}

	/**
	 * Opens a page that was read.
	 * @param run the run
	 * @param group which shards, with a target
	 * @param page what was read for them
	 * @param moved where streams stand that the page may show where they were before
	 * @param interests what the perspective wants
	 * @param size how large the page may be
	 * @return the page
	 */
	static OpenPage of(RunInfo run, ShardGroup group, FeedPage page, Map<UUID, StreamMark> moved, Interests interests,
			int size) {
		interests.learn(page.events());
		Map<UUID, Long> begins = new LinkedHashMap<>();
		for (FeedEvent event : page.events()) {
			UUID stream = event.event().streamId();
			if (event.mark() == null && !moved.containsKey(stream) && interests.wants(event)) {
				begins.putIfAbsent(stream, event.event().version());
			}
		}
		begins.values().removeIf((version) -> version == 1);
		OpenPage open = new OpenPage(group, page, size, interests.missed(run, begins));
		open.marks.putAll(moved);
		return open;
	}

	ShardGroup group() {
		return this.group;
	}

	int next() {
		return this.next;
	}

	int count() {
		return this.page.events().size();
	}

	FeedEvent event(int index) {
		return this.page.events().get(index);
	}

	@Nullable StreamMark mark(UUID stream) {
		return this.marks.get(stream);
	}

	/** Whether a stream without checkpoint has events that should have begun one. */
	boolean hasMissed(UUID stream) {
		return this.missed.contains(stream);
	}

	/** Where the shards are when everything before an event is done. */
	Place placeBefore(int index) {
		if (index < count()) {
			return this.group.place()
				.behind((index > 0) ? event(index - 1).event().position() : this.group.place().position(), false);
		}
		Tick target = this.group.place().target();
		boolean finished = !this.page.isCut(this.size) && target != null && this.page.rangeEnd() >= target.high();
		return this.group.place().behind(this.page.end(this.size), finished);
	}

	/** Goes on behind what was committed. */
	OpenPage behind(int next, Iterable<StreamMove> moves, Place place) {
		ShardGroup moved = new ShardGroup(place,
				this.group.shards().stream().map((shard) -> shard.moved(place)).toList());
		OpenPage page = new OpenPage(moved, this.page, this.size, this.missed);
		page.marks.putAll(this.marks);
		for (StreamMove move : moves) {
			page.marks.put(move.stream(), new StreamMark(move.version(), true));
		}
		page.next = next;
		return page;
	}

	boolean isDone() {
		return this.next >= count();
	}

}
