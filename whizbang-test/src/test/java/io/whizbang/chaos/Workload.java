package io.whizbang.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.whizbang.chaos.Findings.Kind;

/**
 * What a run does. Shares are parts of one.
 *
 * @param seed where all chance comes from
 * @param duration how long producers produce
 * @param producers how many produce at once
 * @param hotStreams how many streams get much
 * @param coldStreams how many streams get little
 * @param slow transactions that wait before they commit
 * @param longestWait how long these wait at most
 * @param failures deliveries that fail
 * @param poison messages that always fail
 * @param stuck deliveries that outlast their lease
 * @param backlog how many messages may wait before producers pause
 * @param pause time between two attacks
 * @param attacks what attacks are drawn from
 * @param mostInstances how many instances there are at most
 * @param hunted what ends the run when it is found; other findings do not
 */
record Workload(long seed, Duration duration, int producers, int hotStreams, int coldStreams, double slow,
		Duration longestWait, double failures, double poison, double stuck, int backlog, Duration pause,
		List<Attack> attacks, int mostInstances, Set<Kind> hunted) {

	static Workload everything(long seed) {
		return new Workload(seed, Duration.ofSeconds(16), 6, 50, 2000, 0.09, Duration.ofMillis(800), 0.02, 0.001,
				0.0003, 2000, Duration.ofMillis(250), List.of(Attack.JOIN, Attack.JOIN, Attack.JOIN, Attack.LEAVE,
						Attack.KILL, Attack.PAUSE, Attack.PAUSE, Attack.CUT, Attack.CUT_PRODUCER),
				4, Set.of());
	}

	/** A short run with little of everything, to be made worse where it is to hurt. */
	static Workload hunt(long seed, Set<Kind> hunted) {
		return new Workload(seed, Duration.ofSeconds(5), 6, 8, 60, 0.05, Duration.ofMillis(200), 0, 0, 0, 600,
				Duration.ofMillis(200), List.of(Attack.JOIN, Attack.LEAVE), 3, hunted);
	}

	Workload withSlow(double slow, Duration longestWait) {
		return new Workload(this.seed, this.duration, this.producers, this.hotStreams, this.coldStreams, slow,
				longestWait, this.failures, this.poison, this.stuck, this.backlog, this.pause, this.attacks,
				this.mostInstances, this.hunted);
	}

	Workload withFailures(double failures) {
		return new Workload(this.seed, this.duration, this.producers, this.hotStreams, this.coldStreams, this.slow,
				this.longestWait, failures, this.poison, this.stuck, this.backlog, this.pause, this.attacks,
				this.mostInstances, this.hunted);
	}

	Workload withStuck(double stuck) {
		return new Workload(this.seed, this.duration, this.producers, this.hotStreams, this.coldStreams, this.slow,
				this.longestWait, this.failures, this.poison, stuck, this.backlog, this.pause, this.attacks,
				this.mostInstances, this.hunted);
	}

	Workload withAttacks(Duration pause, Attack... attacks) {
		return new Workload(this.seed, this.duration, this.producers, this.hotStreams, this.coldStreams, this.slow,
				this.longestWait, this.failures, this.poison, this.stuck, this.backlog, pause, List.of(attacks),
				this.mostInstances, this.hunted);
	}

}
