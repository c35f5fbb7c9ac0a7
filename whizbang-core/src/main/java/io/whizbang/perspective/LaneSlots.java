package io.whizbang.perspective;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.whizbang.perspective.JdbcRuns.BusyShard;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of this instance: for every run that it holds shards of, as many as the
 * perspective may use. Only the worker's thread changes them.
 */
final class LaneSlots {

	private final Map<String, LaneTools> tools;

	private final PerspectiveListener listener;

	private volatile Map<Key, LaneSlot> slots = Map.of();

	LaneSlots(Collection<LaneTools> tools, PerspectiveListener listener) {
		this.tools = tools.stream()
			.collect(Collectors.toUnmodifiableMap(
					(each) -> code(each.projection().handler().name(), each.projection().handler().version()),
					(each) -> each));
		this.listener = listener;
	}

	private static String code(String name, int version) {
		return name + " v" + version;
	}

	@Nullable LaneTools tools(PerspectiveRun run) {
		return this.tools.get(code(run.name(), run.version()));
	}

	Collection<LaneSlot> all() {
		return this.slots.values();
	}

	/** Tells the lanes what the database says about their shards. */
	void offer(List<HeldRow> rows, long now) {
		Map<Key, List<HeldRow>> offers = new LinkedHashMap<>();
		for (HeldRow row : rows) {
			LaneTools tools = tools(row.run().run());
			if (tools != null) {
				int lane = row.shard().shard() % tools.projection().lanes();
				offers.computeIfAbsent(new Key(row.run().id(), row.run().serving(), lane), (key) -> new ArrayList<>())
					.add(row);
			}
		}
		Map<Key, LaneSlot> next = new HashMap<>();
		offers.forEach((key, offered) -> {
			LaneSlot other = this.slots.get(key.other());
			if (other != null && other.isRunning()) {
				// It works on the same shards: its end asks for them again.
				other.stop();
				next.put(key.other(), other);
				return;
			}
			LaneSlot slot = this.slots.get(key);
			if (slot == null || slot.isStopped()) {
				slot = create(offered.get(0).run());
			}
			next.put(key, slot);
			slot.offer(offered, now);
		});
		this.slots.forEach((key, slot) -> {
			// One that runs may still hold what it is busy with.
			if (!next.containsKey(key)) {
				slot.stop();
				if (slot.isRunning()) {
					next.put(key, slot);
				}
			}
		});
		this.slots = Map.copyOf(next);
	}

	private LaneSlot create(RunInfo run) {
		LaneTools tools = tools(run.run());
		if (tools == null) {
			throw new IllegalStateException("There is no code for " + run.run());
		}
		return new LaneSlot(new Lane(run, tools), this.listener);
	}

	List<BusyShard> busy() {
		return this.slots.values()
			.stream()
			.flatMap((slot) -> slot.busy().stream().map((shard) -> new BusyShard(slot.run().id(), shard.shard())))
			.toList();
	}

	void want() {
		this.slots.values().forEach(LaneSlot::want);
	}

	void stop() {
		this.slots.values().forEach(LaneSlot::stop);
	}

	void clear() {
		stop();
		this.slots = Map.of();
	}

	/** Runs that are built here and whose lanes have caught up. */
	List<RunInfo> built() {
		Map<RunInfo, Boolean> built = new HashMap<>();
		this.slots.values()
			.stream()
			.filter((slot) -> !slot.run().serving())
			.forEach((slot) -> built.merge(slot.run(), slot.isCaughtUp(), Boolean::logicalAnd));
		return built.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
	}

	/**
	 * Which lane.
	 *
	 * @param run identity of its run
	 * @param serving whether that serves: lanes begin anew when it begins to
	 * @param lane its number
	 */
	private record Key(long run, boolean serving, int lane) {

		/** The same lane as it is on the other side of the switch. */
		Key other() {
			return new Key(this.run, !this.serving, this.lane);
		}

	}

}
