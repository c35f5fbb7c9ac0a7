package io.whizbang.perspective;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
