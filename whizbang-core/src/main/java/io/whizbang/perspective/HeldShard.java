package io.whizbang.perspective;

/**
 * A shard in this instance's hands.
 *
 * @param shard its number
 * @param token what nobody else has
 * @param moves how often it was moved, by anybody
 * @param place how far it has come
 */
record HeldShard(int shard, long token, long moves, Place place) {

	HeldShard moved(Place place) {
		return new HeldShard(this.shard, this.token, this.moves + 1, place);
	}

	/**
	 * Says whether another view of the shard knows more than this one. What this instance
	 * has done itself may be missing in a view that was taken meanwhile.
	 */
	boolean isOlderThan(HeldShard other) {
		return this.token != other.token || this.moves < other.moves;
	}

}
