package io.whizbang.control;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * An instance that shares a queue with others. An application registers once for each of
 * its workers, so it has several of these.
 *
 * @param id its identity
 * @param service name of the service
 * @param host where it runs
 * @param process its process there
 * @param queue number of the queue
 * @param rank its place among those that share the queue, -1 when it has none yet
 * @param members how many share the queue
 * @param startedAt when it registered
 * @param heartbeatAt when it last showed that it is alive
 * @param silent how long ago that is
 * @param claims how many batches it holds
 * @param messages how many messages these have
 */
public record Registration(UUID id, String service, String host, long process, int queue, int rank, int members,
		Instant startedAt, Instant heartbeatAt, Duration silent, int claims, long messages) {
}
