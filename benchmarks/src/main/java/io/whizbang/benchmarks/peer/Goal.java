package io.whizbang.benchmarks.peer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.whizbang.benchmarks.TimerComparison;

/**
 * What Whizbang is to reach.
 *
 * @param work at what
 * @param atMost whether less is better
 * @param limit the limit
 * @param measured what it was
 */
record Goal(String work, boolean atMost, double limit, double measured) {

	private static final String WHIZBANG = Peers.WHIZBANG.label();

	private static final String RAW = Peers.RAW.label();

	boolean isMeasured() {
		return !Double.isNaN(this.measured);
	}

	boolean isReached() {
		return this.atMost ? this.measured <= this.limit : this.measured >= this.limit;
	}

	/** Compares what was measured with all goals. */
	static List<Goal> of(Results results, Scale scale) {
		List<Goal> goals = new ArrayList<>();
		for (Scale.Backlog backlog : scale.drains()) {
			String work = backlog.label();
			best(results, work, Figures.RATE)
				.ifPresent((rival) -> goals.add(atLeast(work + ": times the best peer (" + rival + ")", 15,
						results.ratio(work, Figures.RATE, WHIZBANG, rival))));
			goals.add(atLeast(work + ": of the raw loop", 0.7, results.ratio(work, Figures.RATE, WHIZBANG, RAW)));
		}
		steady(results, goals);
		latency(results, goals);
		goals.add(atMost("two instances: ms p50, message owned by the other one", 15,
				results.median(Together.TWO, Figures.P50, WHIZBANG)));
		timers(results, goals);
		goals.add(atMost("beside an old transaction: % slower at the end", 10,
				results.median(PeerComparison.CHURN, Figures.DEGRADATION, WHIZBANG)));
		goals.add(atLeast("four instances: of the rate of one", 0.9,
				results.ratio(Together.DRAIN, Figures.RATE, Together.FOUR, Together.ONE)));
		goals.add(atMost("four instances: messages out of order", 0,
				results.median(Together.DRAIN, Figures.REORDERED, Together.FOUR)));
		goals.add(atMost("steady: WAL of the raw loop", 1.1,
				results.ratio(PeerComparison.STEADY, Figures.LOG, WHIZBANG, RAW)));
		goals.add(atMost("idle: statements per minute", 60,
				results.median(PeerComparison.IDLE, Figures.STATEMENTS, WHIZBANG)));
		return goals.stream().filter(Goal::isMeasured).toList();
	}

	private static void steady(Results results, List<Goal> goals) {
		String work = PeerComparison.STEADY;
		goals.add(atLeast("steady: delivered, of the raw loop", 0.9,
				results.ratio(work, Figures.DELIVERED, WHIZBANG, RAW)));
		best(results, work, Figures.DELIVERED)
			.ifPresent((rival) -> goals.add(atLeast("steady: delivered, times the best peer (" + rival + ")", 2.4,
					results.ratio(work, Figures.DELIVERED, WHIZBANG, rival))));
		goals.add(atMost("steady: p99 of the raw loop", 2, results.ratio(work, Figures.P99, WHIZBANG, RAW)));
		goals.add(atLeast("producers alone: of a bare insert", 0.85,
				results.ratio(PeerComparison.ALONE, Figures.PRODUCED, WHIZBANG, RAW)));
	}

	private static void latency(Results results, List<Goal> goals) {
		String work = PeerComparison.LATENCY;
		goals.add(atMost("20/s: p50 of the raw loop", 3, results.ratio(work, Figures.P50, WHIZBANG, RAW)));
		for (String with : List.of(work, PeerComparison.LATENCY_DEFAULTS)) {
			best(results, with, Figures.P50, Comparator.reverseOrder())
				.ifPresent((rival) -> goals.add(atMost(with + ": p50 of the best peer's (" + rival + ")", 1,
						results.ratio(with, Figures.P50, WHIZBANG, rival))));
		}
		goals.add(atMost("20/s: ms p99", 5, results.median(work, Figures.P99, WHIZBANG)));
	}

	private static void timers(Results results, List<Goal> goals) {
		goals.add(atMost("10 000 timers at once: of db-scheduler's time", 0.2,
				results.ratio(PeerComparison.TIMERS, TimerComparison.FINISH, WHIZBANG, Peers.DB_SCHEDULER.label())));
		goals.add(atMost("20 timers/s: ms late p50", 3,
				results.median(PeerComparison.TIMERS, TimerComparison.P50, WHIZBANG)));
		goals.add(atMost("20 timers/s: ms late p99", 15,
				results.median(PeerComparison.TIMERS, TimerComparison.P99, WHIZBANG)));
	}

	/** The peer with the highest median. */
	private static Optional<String> best(Results results, String work, String figure) {
		return best(results, work, figure, Comparator.naturalOrder());
	}

	private static Optional<String> best(Results results, String work, String figure, Comparator<Double> better) {
		return Stream.of(Peers.values())
			.filter(Peers::isRival)
			.map(Peers::label)
			.filter((label) -> results.has(work, figure, label))
			.max(Comparator.comparing((label) -> results.median(work, figure, label), better));
	}

	private static Goal atLeast(String work, double limit, double measured) {
		return new Goal(work, false, limit, measured);
	}

	private static Goal atMost(String work, double limit, double measured) {
		return new Goal(work, true, limit, measured);
	}

}
