package io.whizbang.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.whizbang.message.TimeOrderedUuid;
import io.whizbang.worker.CallLeases;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at what there is to do: recovers runs that were lost, fires jobs whose time has
 * come, and claims runs whose handler is here. Rounds are made by one thread.
 */
final class JobRounds {

	private static final Logger logger = LoggerFactory.getLogger(JobRounds.class);

	/** Somebody else is at it, and will be done in a moment. */
	private static final Duration MOMENT = Duration.ofMillis(20);

	private static final int IDLE_POLLS = 6;

	private static final int RECOVERED = 100;

	private final JobParts parts;

	private final JdbcJobStore store;

	private final CallLeases<HeldRun> leases;

	private final RunExecutor executor;

	private final JobFirer firer;

	private final UUID holder = TimeOrderedUuid.next();

	JobRounds(JobParts parts, CallLeases<HeldRun> leases, RunExecutor executor) {
		this.parts = parts;
		this.store = parts.store();
		this.leases = leases;
		this.executor = executor;
		this.firer = new JobFirer(parts);
	}

	Round round() {
		for (RecoveredRun run : this.store.recover(RECOVERED)) {
			logger.warn("Run {} of the job \"{}\" was lost with {}; {}", run.id(), run.job(), run.instance(),
					run.failed() ? "it has failed after %d attempts".formatted(run.attempts()) : "it goes again");
		}
		JobFirer.Fired fired = this.firer.fire();
		int room = this.parts.settings().concurrency() - this.leases.count();
		List<String> handlers = this.parts.handlers().names();
		int claimed = (room > 0 && !handlers.isEmpty()) ? claim(handlers, room) : 0;
		return new Round(fired.runs() + claimed, fired.elsewhere() || fired.runs() > claimed, room > 0);
	}

	/** Looks at once at the jobs too that could not be fired a moment ago. */
	void tryAllAgain() {
		this.firer.tryAllAgain();
	}

	private int claim(List<String> handlers, int room) {
		long start = System.nanoTime();
		List<ClaimedRun> claimed = this.store.claim(this.holder, this.parts.instance(), handlers, room,
				this.parts.settings().lease());
		List<HeldRun> held = new ArrayList<>();
		long deadline = start + this.parts.settings().lease().toNanos();
		claimed.forEach((run) -> held.add(new HeldRun(run, deadline)));
		held.forEach(this.leases::add);
		int begun = 0;
		try {
			for (HeldRun run : held) {
				this.executor.begin(run);
				begun++;
			}
		}
		finally {
			// What nobody works on would be renewed for ever.
			this.executor.giveBack(held.subList(begun, held.size()));
		}
		return claimed.size();
	}

	/**
	 * Tells how long there is nothing more to do.
	 * @param round the last round
	 * @param listening whether announcements of other instances arrive
	 * @return how long
	 */
	Duration pause(Round round, boolean listening) {
		boolean room = this.leases.count() < this.parts.settings().concurrency();
		if (room && !round.hadRoom()) {
			return Duration.ZERO;
		}
		Duration poll = listening ? this.parts.settings().listeningPoll() : this.parts.settings().maxPoll();
		List<String> handlers = this.parts.handlers().names();
		Duration next = this.store.untilNext(room ? handlers : List.of(), this.firer.left());
		Duration again = this.firer.untilAgain();
		if (again != null && (next == null || again.compareTo(next) < 0)) {
			next = again;
		}
		if (next == null && handlers.isEmpty()) {
			// Nobody uses jobs, as far as is known; whoever begins to says so.
			return poll.multipliedBy(IDLE_POLLS);
		}
		Duration pause = (next != null && next.compareTo(poll) < 0) ? next : poll;
		return pause.isZero() ? MOMENT : pause;
	}

	/**
	 * A look at what there is to do.
	 *
	 * @param done how much was done
	 * @param news whether there are runs for other instances
	 * @param hadRoom whether more runs could have been claimed
	 */
	record Round(int done, boolean news, boolean hadRoom) {
	}

}
