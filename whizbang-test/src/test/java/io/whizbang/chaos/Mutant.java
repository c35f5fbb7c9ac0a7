package io.whizbang.chaos;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.whizbang.chaos.Findings.Kind;

/**
 * A database function with one rule of the engine switched off, with the workload that
 * this hurts and what is to be found then.
 */
enum Mutant {

	/** Scans go past numbers that are not committed yet. */
	NO_SAFE_MARK("safe_mark", "return case when v_behind is null then v_last else ((v_last >> 4) - v_behind) << 4 end",
			"return v_last",
			(work) -> work.withSlow(0.4, Duration.ofMillis(80)).withAttacks(Duration.ofSeconds(5), Attack.JOIN),
			Kind.ORDER, Kind.ORPHANS),

	/** Two transactions enqueue to one stream at once. */
	NO_STRICT_ENQUEUE("lock_streams", "v_buckets := array(", "return; v_buckets := array(",
			(work) -> work.withSlow(0.3, Duration.ofMillis(60)), Kind.ORDER, Kind.COMMIT_ORDER, Kind.ORPHANS),

	/** What others hold is claimed all the same. */
	NO_PARTITION_EXCLUSION("live_claims", "and p % p_members = p_rank", "and false", (work) -> work,
			Kind.SHARED_PARTITION, Kind.ORDER, Kind.TWICE),

	/** What comes after a message that waits is claimed all the same. */
	NO_PARKING("leave_blocked", "h.stream_id is not null as is_blocked", "false as is_blocked",
			(work) -> work.withFailures(0.05), Kind.ORDER),

	/** What a caller remembers of one share serves for another. */
	NO_NEW_EPOCH("recall", "(p_memory ->> 'epoch')::int <> p_epoch", "false", (work) -> work, Kind.ORDER, Kind.ORPHANS,
			Kind.SHARED_PARTITION, Kind.TWICE, Kind.LEFT_OVER),

	/** A claim that was taken over still counts. */
	NO_FENCE("expire_claims", "delete from whizbang.wh_claims c where c.claim_id = any (v_dead) returning c.seqs",
			"update whizbang.wh_claims c set partitions = '{}', lease_expiry = 'infinity' "
					+ "where c.claim_id = any (v_dead) returning c.seqs",
			(work) -> work.withStuck(0.01).withAttacks(Duration.ofMillis(250), Attack.PAUSE, Attack.PAUSE, Attack.JOIN),
			Kind.FENCE, Kind.TWICE, Kind.LOST),

	/** What is given back becomes ready again, below the place where scans start. */
	BACK_TO_READY("park_messages", "set status = case when m.stream_id is null then 1 else 2 end", "set status = 0",
			(work) -> work.withFailures(0.05), Kind.ORDER, Kind.ORPHANS),

	/** What comes after a failure in its claim is not given back. */
	NO_RELEASE("fail_messages", "and m.seq <> all (reported)", "and false", (work) -> work.withFailures(0.05),
			Kind.LOST, Kind.ORDER, Kind.TWICE, Kind.LEFT_OVER);

	private final String function;

	private final String rule;

	private final String instead;

	private final UnaryOperator<Workload> workload;

	private final Set<Kind> symptoms;

	Mutant(String function, String rule, String instead, UnaryOperator<Workload> workload, Kind symptom, Kind... more) {
		this.function = function;
		this.rule = rule;
		this.instead = instead;
		this.workload = workload;
		this.symptoms = EnumSet.of(symptom, more);
	}

	Workload workload(long seed) {
		return this.workload.apply(Workload.hunt(seed, this.symptoms));
	}

	boolean isIn(Findings findings) {
		return findings.hasAny(this.symptoms);
	}

	/**
	 * Switches the rule off.
	 * @param database where
	 * @return switches it on again
	 */
	Mutation in(ChaosDatabase database) {
		return new Mutation(database.jdbc(), this.function, this.rule, this.instead);
	}

}
