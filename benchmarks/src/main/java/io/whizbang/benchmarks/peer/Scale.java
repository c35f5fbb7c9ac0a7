package io.whizbang.benchmarks.peer;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * How much is measured.
 *
 * @param rounds how often each contender's turn comes
 * @param warmUp seconds of drains before the first measurement
 * @param drains what is drained
 * @param drainLimit seconds until a drain is cut off
 * @param steady seconds of producing at full speed
 * @param steadyLimit seconds that the backlog may take afterwards
 * @param trickle seconds of single messages
 * @param trickleLimit seconds that the last of them may take
 * @param shared messages that several instances drain together
 * @param backlog the larger backlog of which claims are made
 * @param churn seconds beside an old transaction
 * @param timers seconds of single timers
 * @param locks seconds of locking
 * @param idle seconds of doing nothing
 */
record Scale(int rounds, int warmUp, List<Backlog> drains, int drainLimit, int steady, int steadyLimit, int trickle,
		int trickleLimit, int shared, int backlog, int churn, int timers, int locks, int idle) {

	private static final int STREAMS = 2000;

	/**
	 * Chooses.
	 * @param quick whether ten minutes must do
	 * @param chosen what is given, by name
	 * @return how much is measured
	 */
	static Scale of(boolean quick, Map<String, Integer> chosen) {
		Chooser choose = (name, few, many) -> chosen.getOrDefault(name, quick ? few : many);
		return new Scale(choose.of("rounds", 1, 3), choose.of("warm", 3, 20), drains(quick, chosen.get("messages")),
				choose.of("limit", 8, 120), choose.of("steady", 4, 30), choose.of("steady-limit", 8, 60),
				choose.of("trickle", 5, 30), choose.of("trickle-limit", 12, 60), choose.of("shared", 100_000, 200_000),
				choose.of("backlog", 1_000_000, 1_000_000), choose.of("churn", 20, 600), choose.of("timers", 5, 15),
				choose.of("locks", 3, 10), choose.of("idle", 6, 60));
	}

	private static List<Backlog> drains(boolean quick, @Nullable Integer messages) {
		if (messages != null) {
			return List.of(new Backlog(messages, STREAMS), new Backlog(messages, messages));
		}
		List<Backlog> small = List.of(new Backlog(20_000, STREAMS), new Backlog(20_000, 20_000));
		return quick ? small
				: List.of(small.get(0), small.get(1), new Backlog(200_000, STREAMS), new Backlog(200_000, 200_000));
	}

	/** A value for each of two lengths of a run, unless it is given. */
	private interface Chooser {

		int of(String name, int few, int many);

	}

	/**
	 * A backlog.
	 *
	 * @param messages how many messages
	 * @param streams over how many streams
	 */
	record Backlog(int messages, int streams) {

		String label() {
			return "drain of %d over %d streams".formatted(this.messages, this.streams);
		}

		Command command(int limit) {
			return Command.of("drain")
				.with("messages", this.messages)
				.with("streams", this.streams)
				.with("limit", limit);
		}

	}

}
