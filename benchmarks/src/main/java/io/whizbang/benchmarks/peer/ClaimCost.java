package io.whizbang.benchmarks.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.whizbang.benchmarks.Measurements;
import io.whizbang.benchmarks.Payload;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.work.Claim;
import io.whizbang.work.Queue;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What a claim of a hundred messages costs while many more wait. Each call reports the
 * claim before it as done.
 */
final class ClaimCost {

	private static final int BATCH = 100;

	private static final int STREAMS = 2000;

	private static final int CHUNK = 10_000;

	private static final String BUFFERS = """
			select coalesce(sum(shared_blks_hit + shared_blks_read), 0) from pg_stat_statements
			where dbid = (select oid from pg_database where datname = current_database())
			    and query like '%process_work_batch%'""";

	private final WhizbangPeer whizbang;

	private final JdbcTemplate jdbc;

	private final JdbcWorkCoordinator coordinator;

	private @Nullable String memory;

	ClaimCost(WhizbangPeer whizbang) {
		this.whizbang = whizbang;
		this.jdbc = new JdbcTemplate(whizbang.dataSource());
		this.coordinator = new JdbcWorkCoordinator(whizbang.dataSource(), WhizbangPeer.SCHEMA,
				CoordinatorSettings.defaults());
	}

	/**
	 * Measures.
	 * @param backlog how many messages wait; what was claimed is added again in between
	 * @param claims how many claims, at least
	 * @return the median time and the mean of buffers
	 */
	Answer measure(int backlog, int claims) {
		this.jdbc.execute("truncate " + String.join(", ", this.whizbang.tables()));
		load(backlog);
		this.jdbc.execute("vacuum analyze");
		this.jdbc.execute("checkpoint");
		UUID instance = this.coordinator.register(new InstanceInfo("claims", "localhost", 1, Map.of()),
				Set.of(Queue.OUTBOX));
		Measurements measurements = new Measurements();
		double buffers = 0;
		int measured = 0;
		while (measured < claims) {
			// The first claims of a round remember where the queue begins.
			List<Claim> done = new ArrayList<>(claim(instance, List.of(), new Measurements()));
			double before = number(BUFFERS);
			int calls = Math.min(claims, backlog / BATCH / 2);
			for (int i = 0; i < calls; i++) {
				done = claim(instance, done, measurements);
			}
			buffers += number(BUFFERS) - before;
			measured += calls;
			claim(instance, done, new Measurements());
			load((calls + 2) * BATCH);
		}
		this.coordinator.leave(instance);
		this.jdbc.execute("truncate " + String.join(", ", this.whizbang.tables()));
		return new Answer().with(Figures.CLAIM_MS, measurements.median(Figures.CLAIM_MS))
			.with(Figures.CLAIM_BUFFERS, buffers / measured);
	}

	private List<Claim> claim(UUID instance, List<Claim> done, Measurements measurements) {
		long start = System.nanoTime();
		WorkBatch batch = this.coordinator.exchange(instance, Queue.OUTBOX,
				new WorkReport(done, Map.of(), List.of(), null, List.of()), WorkRequest.upTo(BATCH, this.memory));
		measurements.add(Figures.CLAIM_MS, (System.nanoTime() - start) / 1e6);
		this.memory = batch.memory();
		Claim claim = batch.claim();
		return (claim != null) ? List.of(claim) : List.of();
	}

	private void load(int messages) {
		Orders orders = new Orders("claims");
		List<Payload> chunk = new ArrayList<>();
		for (int number = 0; number < messages; number++) {
			chunk.add(orders.payload(number % STREAMS, number / STREAMS));
			if (chunk.size() == CHUNK || number == messages - 1) {
				this.whizbang.load(chunk);
				chunk.clear();
			}
		}
	}

	private double number(String sql) {
		Double number = this.jdbc.queryForObject(sql, Double.class);
		return (number != null) ? number : Double.NaN;
	}

}
