package io.whizbang.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.junit.jupiter.api.RepeatedTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Plays random stories on one thread: what a handler does in the middle of its work
 * stands for what other threads do at that time. A failed story is told again by its
 * seed.
 */
class WorkPumpRandomTests {

	private static final int MESSAGES = 300;

	private final long seed = Long.getLong("whizbang.seed", new Random().nextLong());

	private final Random random = new Random(this.seed);

	private final PumpFixture fixture = new PumpFixture((settings) -> settings.withBatchSize(20).withPrefetch(40));

	private final FakeCoordinator database = this.fixture.database;

	private final Map<String, List<Long>> enqueued = new HashMap<>();

	private final Map<Long, String> streams = new HashMap<>();

	private final Map<String, Long> lastFirstDelivery = new HashMap<>();

	private final Set<Long> seen = new HashSet<>();

	private final Set<Long> handled = new HashSet<>();

	private final Set<String> running = new HashSet<>();

	private final List<String> violations = new ArrayList<>();

	private int depth;

	private boolean exchanging;

	private boolean calm;

	@RepeatedTest(200)
	void keepsOrderLosesNothingAndStartsNothingThatWentBack() {
		this.fixture.handler.key = (work) -> (work.seq() % 3 != 0) ? work.seq() % 2 : null;
		this.fixture.handler.otherwise = this::handle;
		this.fixture.handler.before = (batch) -> batch.forEach(this::check);
		this.database.readsLater = this.random::nextBoolean;
		this.database.readsWhatWasClaimed = this.random::nextBoolean;
		this.database.duringExchange = this::actMeanwhile;
		for (int i = 0; i < MESSAGES; i++) {
			enqueue();
			act();
		}
		this.calm = true;
		this.database.failBefore = null;
		this.database.failAfter = null;
		this.database.failRead = null;
		for (int i = 0; i < 5000 && this.database.left() > 0; i++) {
			this.fixture.pass(Duration.ofSeconds(1));
			step();
			this.fixture.executor.run();
		}
		String story = "seed " + this.seed;
		assertThat(this.violations).as(story).isEmpty();
		assertThat(this.database.left()).as(story).isZero();
		assertThat(this.handled).as(story).containsAll(this.database.done);
		assertThat(this.database.done.size() + this.database.dead.size()).as(story).isEqualTo(MESSAGES);
		assertThat(this.fixture.pump.status(WorkerStatus.State.RUNNING, 0).inFlight()).as(story).isZero();
	}

	private void enqueue() {
		String stream = (this.random.nextInt(10) == 0) ? null : "stream-" + this.random.nextInt(12);
		long seq = this.database.enqueue(stream);
		if (stream != null) {
			this.streams.put(seq, stream);
			this.enqueued.computeIfAbsent(stream, (name) -> new ArrayList<>()).add(seq);
		}
	}

	private void act() {
		switch (this.random.nextInt(13)) {
			case 0, 1, 2 -> step();
			case 3, 4, 5 -> this.fixture.executor.runOne(this.random);
			case 6 -> this.fixture.pass(Duration.ofMillis(this.random.nextInt(200)));
			case 7 -> expireOne();
			case 8 -> this.database.failBefore = this.random.nextBoolean() ? new IllegalStateException("away") : null;
			case 9 -> this.database.failAfter = this.random.nextBoolean() ? new IllegalStateException("lost") : null;
			case 10 -> this.fixture.pass(Duration.ofSeconds(this.random.nextInt(40)));
			case 11 ->
				this.database.failRead = (this.random.nextInt(4) == 0) ? new IllegalStateException("unread") : null;
			default -> {
				if (this.random.nextInt(10) == 0) {
					this.database.instances().forEach(this.database::forget);
				}
				this.fixture.pump.signal();
			}
		}
	}

	/** What other threads do while the pump waits for an answer. */
	private void actMeanwhile() {
		if (!this.calm && this.random.nextInt(3) == 0) {
			this.exchanging = true;
			this.fixture.executor.runOne(this.random);
			this.exchanging = false;
		}
	}

	private void step() {
		if (this.exchanging) {
			// One thread at a time runs the pump.
			return;
		}
		try {
			if (this.random.nextBoolean()) {
				this.fixture.pump.runOnce();
			}
			else {
				this.fixture.pump.step();
			}
		}
		catch (IllegalStateException ex) {
			assertThat(ex.getMessage()).isIn("away", "lost");
		}
	}

	private void expireOne() {
		List<Claim> claims = this.database.claims();
		if (!claims.isEmpty()) {
			this.database.expire(claims.get(this.random.nextInt(claims.size())));
		}
	}

	private Outcome handle(Work work) {
		String stream = this.streams.get(work.seq());
		if (stream != null && !this.running.add(stream)) {
			this.violations.add("two at once in " + stream);
		}
		this.depth++;
		try {
			for (int i = 0; !this.calm && this.depth < 4 && i < this.random.nextInt(3); i++) {
				act();
			}
		}
		finally {
			this.depth--;
			if (stream != null) {
				this.running.remove(stream);
			}
		}
		return outcome(work);
	}

	private Outcome outcome(Work work) {
		switch (this.random.nextInt(10)) {
			case 0 -> {
				return new Outcome.Retry(Duration.ofMillis(this.random.nextInt(2000)), "no");
			}
			case 1 -> {
				return new Outcome.Postpone(Duration.ofMillis(this.random.nextInt(2000)), "later");
			}
			case 2 -> {
				return (this.random.nextInt(4) == 0) ? new Outcome.Dead("permanent", "never") : Outcome.RELEASE;
			}
			case 3 -> throw new IllegalArgumentException("thrown");
			default -> {
				this.handled.add(work.seq());
				return Outcome.DONE;
			}
		}
	}

	private void check(Work work) {
		if (this.database.toldLost.contains(work.claim())) {
			this.violations.add(work.seq() + " started after its claim was lost");
		}
		if (this.database.toldReleased.contains(work.seq())) {
			this.violations.add(work.seq() + " started after it was released");
		}
		String stream = this.streams.get(work.seq());
		if (stream != null && this.seen.add(work.seq())) {
			long last = this.lastFirstDelivery.getOrDefault(stream, 0L);
			if (work.seq() < last) {
				this.violations.add(work.seq() + " came after " + last + " of " + stream);
			}
			this.lastFirstDelivery.put(stream, work.seq());
		}
	}

}
