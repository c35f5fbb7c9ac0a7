package io.whizbang.coordinator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import io.whizbang.message.NewMessage;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * One instance of an application, reduced to what it says to the coordinator.
 */
final class TestInstance {

	private static final int ROOM = 100;

	private final WorkCoordinator coordinator;

	private final JdbcTemplate jdbc;

	private final UUID id;

	private @Nullable String memory;

	private boolean claimsBehindOwn;

	TestInstance(WorkCoordinator coordinator, JdbcTemplate jdbc) {
		this.coordinator = coordinator;
		this.jdbc = jdbc;
		this.id = coordinator.register(new InstanceInfo("shop", "host-1", 4711, Map.of("zone", "north")),
				Set.of(Queue.OUTBOX));
	}

	UUID id() {
		return this.id;
	}

	WorkCoordinator coordinator() {
		return this.coordinator;
	}

	int rank() {
		Integer rank = this.jdbc.queryForObject(
				"select array_position(members, ?) - 1 from whizbang.wh_epoch where queue = 1", Integer.class, this.id);
		return (rank != null) ? rank : -1;
	}

	boolean isRegistered() {
		return Boolean.TRUE.equals(this.jdbc.queryForObject(
				"select exists (select from whizbang.wh_service_instances where instance_id = ?)", Boolean.class,
				this.id));
	}

	/** Forgets what the coordinator told it to remember, as after an exception. */
	void forget() {
		this.memory = null;
	}

	/**
	 * Returns where its next scan for ready messages starts.
	 * @return the place in the queue
	 */
	long ahead() {
		return JsonMapper.shared().readTree(this.memory).get("ahead").longValue();
	}

	WorkBatch exchange(WorkReport report, int limit) {
		return exchange(report, limit, Math.max(limit, 1), false);
	}

	WorkBatch exchange(WorkReport report, int limit, int concurrency, boolean steal) {
		WorkBatch batch = this.coordinator.exchange(this.id, Queue.OUTBOX, report,
				new WorkRequest(limit, concurrency, steal, this.claimsBehindOwn, this.memory));
		this.memory = batch.memory();
		return batch;
	}

	/** From now on it claims messages of streams of which it holds earlier ones. */
	TestInstance claimingBehindOwn() {
		this.claimsBehindOwn = true;
		return this;
	}

	WorkBatch claim() {
		return claim(ROOM);
	}

	WorkBatch claim(int limit) {
		return exchange(WorkReport.nothing(), limit);
	}

	WorkBatch steal() {
		return exchange(WorkReport.nothing(), ROOM, ROOM, true);
	}

	/** Shows that it is alive, and claims nothing. */
	WorkBatch beat() {
		return claim(0);
	}

	WorkBatch store(NewMessage... messages) {
		return exchange(new WorkReport(List.of(), Map.of(), List.of(), null, List.of(messages)), 0);
	}

	WorkBatch finish(WorkBatch... batches) {
		return exchange(finished(batches), 0);
	}

	static WorkReport finished(WorkBatch... batches) {
		return new WorkReport(claims(batches), Map.of(), List.of(), null, List.of());
	}

	WorkBatch report(WorkBatch batch, Outcome outcome, String... names) {
		return exchange(WorkReport.of(outcomes(batch, outcome, names)), 0);
	}

	static Map<Work, Outcome> outcomes(WorkBatch batch, Outcome outcome, String... names) {
		Map<Work, Outcome> outcomes = new HashMap<>();
		Stream.of(names).forEach((name) -> outcomes.put(work(batch, name), outcome));
		return outcomes;
	}

	WorkBatch renew(WorkBatch... batches) {
		return exchange(new WorkReport(List.of(), Map.of(), claims(batches), null, List.of()), 0);
	}

	/** Reports which claims it knows, and claims nothing. */
	WorkBatch knowingOnly(WorkBatch... batches) {
		return exchange(new WorkReport(List.of(), Map.of(), List.of(), claims(batches), List.of()), 0);
	}

	/**
	 * Claims and completes until nothing comes any more.
	 * @return what came, in this order
	 */
	List<String> drain() {
		List<String> names = new ArrayList<>();
		WorkBatch batch = claim();
		while (batch.claim() != null || batch.more()) {
			names.addAll(names(batch));
			batch = (batch.claim() != null) ? exchange(finished(batch), ROOM) : claim();
		}
		return names;
	}

	void leave() {
		this.coordinator.leave(this.id);
	}

	static Claim claimOf(WorkBatch batch) {
		return claims(batch).iterator().next();
	}

	private static Collection<Claim> claims(WorkBatch... batches) {
		return Stream.of(batches).map(WorkBatch::claim).toList();
	}

	static List<String> names(WorkBatch batch) {
		return batch.work().stream().map((work) -> work.envelope().payload()).toList();
	}

	static Work work(WorkBatch batch, String name) {
		return batch.work()
			.stream()
			.filter((work) -> work.envelope().payload().equals(name))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No " + name + " in " + names(batch)));
	}

}
