package io.whizbang.perspective;

import io.whizbang.message.StreamId;

/**
 * A stream that goes by itself and is to be tried again.
 *
 * @param stream the stream
 * @param shard its shard
 * @param version where it stands
 * @param attempts how often it has failed there
 */
record DueStream(StreamId stream, int shard, long version, int attempts) {

}
