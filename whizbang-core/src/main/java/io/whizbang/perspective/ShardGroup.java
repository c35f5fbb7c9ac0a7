package io.whizbang.perspective;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Shards that have come equally far, and so are read together.
 *
 * @param place how far
 * @param shards which, in the order of their numbers
 */
record ShardGroup(Place place, List<HeldShard> shards) {

	ShardGroup {
		shards = List.copyOf(shards);
	}

	/** Groups shards; the one that is most behind comes first. */
	static List<ShardGroup> of(List<HeldShard> shards) {
		Map<Place, List<HeldShard>> places = new LinkedHashMap<>();
		shards.stream()
			.sorted(Comparator.comparingInt(HeldShard::shard))
			.forEach((shard) -> places.computeIfAbsent(shard.place(), (place) -> new ArrayList<>()).add(shard));
		return places.entrySet()
			.stream()
			.map((entry) -> new ShardGroup(entry.getKey(), entry.getValue()))
			.sorted(Comparator.comparing((ShardGroup group) -> group.place().base())
				.thenComparing((group) -> group.place().position()))
			.toList();
	}

	/**
	 * Chooses which shards to read next, and up to where.
	 * @param shards the shards
	 * @param news finds what is new since a tick, or {@code null} when nothing is
	 * @return those that are most behind, or {@code null} when there is nothing to read
	 */
	static @Nullable ShardGroup next(List<HeldShard> shards, Function<Tick, @Nullable Tick> news) {
		if (shards.isEmpty()) {
			return null;
		}
		List<ShardGroup> groups = of(shards);
		ShardGroup group = groups.get(0);
		if (group.place().target() != null) {
			return group;
		}
		Tick base = group.place().base();
		// Who is behind goes where the next ones are, so that they meet and go on
		// together.
		Tick target = groups.stream()
			.flatMap((other) -> Stream.of(other.place().base(), other.place().target()))
			.filter((tick) -> tick != null && tick.compareTo(base) > 0)
			.min(Comparator.naturalOrder())
			.orElse(null);
		if (target == null) {
			target = news.apply(base);
		}
		return (target != null) ? group.at(group.place().towards(target)) : null;
	}

	/** The same shards at another place, which this instance is about to move them to. */
	ShardGroup at(Place place) {
		return new ShardGroup(place, this.shards);
	}

	Integer[] numbers() {
		return this.shards.stream().map(HeldShard::shard).toArray(Integer[]::new);
	}

	Long[] tokens() {
		return this.shards.stream().map(HeldShard::token).toArray(Long[]::new);
	}

	Long[] moves() {
		return this.shards.stream().map(HeldShard::moves).toArray(Long[]::new);
	}

}
