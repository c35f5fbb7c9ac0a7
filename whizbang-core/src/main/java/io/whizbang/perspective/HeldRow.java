package io.whizbang.perspective;

import org.jspecify.annotations.Nullable;

/**
 * What a round says about one shard that this instance holds.
 *
 * @param run its run
 * @param members how many instances have perspectives, this or others
 * @param shard the shard
 * @param own whether it belongs to this instance, or is to be given back
 * @param hasNews whether there may be something to read
 * @param dueMillis when the next stream of the run is due that goes by itself, or
 * {@code null}
 */
record HeldRow(RunInfo run, int members, HeldShard shard, boolean own, boolean hasNews, @Nullable Long dueMillis) {

}
