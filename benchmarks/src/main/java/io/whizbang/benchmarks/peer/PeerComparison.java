package io.whizbang.benchmarks.peer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

import io.whizbang.benchmarks.TimerComparison;

/**
 * Runs Whizbang and its peers on the same work: one server, each contender in a process
 * of its own, turn by turn.
 */
public final class PeerComparison {

	static final String STEADY = "steady";

	static final String ALONE = "producers alone";

	static final String LATENCY = "20/s, tuned";

	static final String LATENCY_DEFAULTS = "20/s, defaults";

	static final String CHURN = "beside an old transaction";

	static final String IDLE = "idle";

	static final String LOCKS = "locks";

	static final String TIMERS = "timers";

	private static final int PER_SECOND = 20;

	private final PeerArguments arguments;

	private final Scale scale;

	private final Arena arena;

	private final Results results = new Results();

	private final Set<PeerHandle> warm = new HashSet<>();

	private PeerComparison(PeerArguments arguments, Arena arena) {
		this.arguments = arguments;
		this.scale = arguments.scale();
		this.arena = arena;
	}

	/**
	 * Runs the comparison.
	 * @param arguments {@code quick}, parts, {@code rounds=}, {@code churn=} and
	 * {@code contenders=}; see the README
	 */
	public static void main(String[] arguments) throws Exception {
		PeerArguments parsed = PeerArguments.parse(arguments);
		Path directory = Path.of("target", "peers");
		try (Arena arena = new Arena(directory)) {
			PeerComparison comparison = new PeerComparison(parsed, arena);
			try {
				parsed.parts().forEach(comparison::measure);
			}
			finally {
				new PeerReport(comparison.results, arena, parsed).write(directory.resolveSibling("peers.json"),
						directory);
			}
		}
		System.exit(0);
	}

	private void measure(Part part) {
		System.out.println(part.name().toLowerCase(Locale.ROOT));
		switch (part) {
			case DRAIN -> this.scale.drains()
				.forEach((backlog) -> alternate(backlog.label(), Profile.TUNED, (peer) -> true,
						backlog.command(this.scale.drainLimit())));
			case STEADY -> alternate(STEADY, Profile.TUNED, (peer) -> true,
					Command.of("steady").with("seconds", this.scale.steady()).with("limit", this.scale.steadyLimit()));
			case ALONE -> alternate(ALONE, Profile.TUNED, List.of(Peers.WHIZBANG, Peers.RAW)::contains,
					Command.of("alone").with("seconds", this.scale.steady()));
			case LATENCY -> {
				alternate(LATENCY, Profile.TUNED, (peer) -> true, trickle(this.scale.trickle()));
				alternate(LATENCY_DEFAULTS, Profile.DEFAULTS, PeerComparison::isLibrary, trickle(this.scale.trickle()));
			}
			case TWO -> new Together(this.arena, this.results, this.scale).two();
			case FOUR -> new Together(this.arena, this.results, this.scale).four();
			case CLAIM -> claims();
			case CHURN -> alternate(CHURN, Profile.TUNED, List.of(Peers.WHIZBANG, Peers.RAW, Peers.NAMASTACK)::contains,
					Command.of("churn").with("seconds", this.scale.churn()).with("limit", this.scale.steadyLimit()), 1);
			case TIMERS -> timers();
			case LOCKS -> locks();
			case IDLE -> alternate(IDLE, Profile.TUNED, PeerComparison::isLibrary,
					Command.of("idle").with("seconds", this.scale.idle()), 1);
		}
	}

	private static boolean isLibrary(Peers peer) {
		return peer == Peers.WHIZBANG || peer.isRival();
	}

	private Command trickle(int seconds) {
		return Command.of("trickle")
			.with("rate", PER_SECOND)
			.with("seconds", seconds)
			.with("limit", this.scale.trickleLimit());
	}

	private void alternate(String work, Profile profile, Predicate<Peers> who, Command command) {
		alternate(work, profile, who, command, this.scale.rounds());
	}

	private void alternate(String work, Profile profile, Predicate<Peers> who, Command command, int rounds) {
		List<Peers> contenders = new ArrayList<>(this.arguments.contenders().stream().filter(who).toList());
		for (int round = 0; round < rounds; round++) {
			for (Peers contender : List.copyOf(contenders)) {
				if (!turn(work, profile, contender, command)) {
					contenders.remove(contender);
				}
			}
		}
	}

	private boolean turn(String work, Profile profile, Peers contender, Command command) {
		try {
			PeerHandle handle = warmed(contender, profile);
			Answer answer = handle.ask(command);
			System.out.println("  " + work + ", " + contender.label() + ": " + answer.figures());
			this.results.add(work, contender.label(), answer);
			return true;
		}
		catch (IllegalStateException ex) {
			this.results.trouble(work, ex);
			this.arena.close(contender.label(), profile);
			return false;
		}
	}

	private PeerHandle warmed(Peers contender, Profile profile) {
		PeerHandle handle = this.arena.get(contender.label(), profile);
		if (this.warm.add(handle)) {
			boolean defaults = profile == Profile.DEFAULTS;
			this.results.introduce(contender.label() + (defaults ? ", defaults" : ""), handle);
			// What comes as it is may be too slow to drain anything.
			handle.ask(defaults ? trickle(Math.min(5, this.scale.warmUp()))
					: Command.of("warm").with("seconds", this.scale.warmUp()));
		}
		return handle;
	}

	private void claims() {
		try {
			PeerHandle handle = warmed(Peers.WHIZBANG, Profile.TUNED);
			for (int round = 0; round < this.scale.rounds(); round++) {
				for (int backlog : List.of(1000, this.scale.backlog())) {
					Answer answer = handle.ask(Command.of("claim").with("backlog", backlog).with("claims", 100));
					System.out.println("  " + backlog + " waiting: " + answer.figures());
					this.results.add(claim(backlog), Peers.WHIZBANG.label(), answer);
				}
			}
		}
		catch (IllegalStateException ex) {
			this.results.trouble("claims", ex);
		}
	}

	static String claim(int backlog) {
		return "claim of 100 with " + backlog + " waiting";
	}

	private void timers() {
		try {
			PeerHandle handle = this.arena.get(PeerProcess.TIMERS, Profile.TUNED);
			Answer answer = handle
				.ask(Command.of("timers").with("rounds", this.scale.rounds()).with("seconds", this.scale.timers()));
			answer.figures().forEach((name, figure) -> {
				String measured = name.substring(0, name.lastIndexOf('#'));
				int colon = measured.indexOf(": ");
				String who = (colon > 0) ? measured.substring(colon + 2) : Peers.WHIZBANG.label();
				String what = (colon > 0) ? measured.substring(0, colon + 2) : measured;
				this.results.add(TIMERS, what, who, figure);
			});
			this.arena.close(PeerProcess.TIMERS, Profile.TUNED);
		}
		catch (IllegalStateException ex) {
			this.results.trouble(TimerComparison.class.getSimpleName(), ex);
		}
	}

	private void locks() {
		try {
			Command command = Command.of("locks").with("seconds", this.scale.locks());
			PeerHandle shedLock = this.arena.get(PeerProcess.SHED_LOCK, Profile.TUNED);
			this.results.introduce(PeerProcess.SHED_LOCK, shedLock);
			PeerHandle whizbang = warmed(Peers.WHIZBANG, Profile.TUNED);
			for (int round = 0; round < this.scale.rounds(); round++) {
				this.results.add(LOCKS, PeerProcess.SHED_LOCK, shedLock.ask(command));
				this.results.add(LOCKS, Peers.WHIZBANG.label(), whizbang.ask(command));
			}
			this.arena.close(PeerProcess.SHED_LOCK, Profile.TUNED);
		}
		catch (IllegalStateException ex) {
			this.results.trouble(LOCKS, ex);
		}
	}

}
