package io.whizbang.benchmarks.peer;

/**
 * The names of what is measured.
 */
final class Figures {

	static final String RATE = "messages/s";

	static final String LOST = "lost";

	static final String REPEATED = "repeated";

	static final String REORDERED = "reordered";

	static final String UNFINISHED = "unfinished";

	static final String PROCESSOR = "processor us/message";

	static final String LOG = "WAL bytes/message";

	static final String PRODUCED = "transactions/s";

	static final String DELIVERED = "delivered/s";

	static final String BACKLOG = "backlog";

	static final String P50 = "p50 ms";

	static final String P95 = "p95 ms";

	static final String P99 = "p99 ms";

	static final String DEGRADATION = "degradation %";

	static final String STATEMENTS = "statements/min";

	static final String IDLE_PROCESSOR = "processor ms/min";

	static final String CLAIM_MS = "ms/claim";

	static final String CLAIM_BUFFERS = "buffers/claim";

	static final String LOCKS = "locks/s";

	private Figures() {
	}

}
