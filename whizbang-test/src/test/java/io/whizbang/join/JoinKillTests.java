package io.whizbang.join;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.message.Envelope;
import io.whizbang.outbox.OutboxMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Random stories of instances that are killed in the middle of delivering and counting,
 * so that messages are delivered again by others (G2, G5), and of deadlines that come
 * together with the last member. A join counts each member once, and one message follows.
 */
@PostgresTest
class JoinKillTests {

	private static final Logger logger = LoggerFactory.getLogger(JoinKillTests.class);

	private static final int JOINS = 4;

	private static final int MEMBERS = 100;

	private static final int POISON = 5;

	private static final int RACES = 60;

	/** Instances at a time. */
	private static final int INSTANCES = 3;

	private static final String WAITING = "select count(*) from whizbang.wh_outbox where topic <> 'then'";

	private final PostgresDatabase database;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AtomicInteger delivered = new AtomicInteger();

	private JoinFixture fixture;

	JoinKillTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new JoinFixture(this.database);
	}

	@AfterEach
	void tearDown() {
		this.threads.shutdownNow();
		this.fixture.close();
	}

	@Test
	void whatIsDeliveredAgainAfterAnInstanceWasKilledCountsOnce() throws Exception {
		long seed = JoinFixture.seed(getClass());
		Random random = new Random(seed);
		JoinInstance app = this.fixture.instance();
		List<JoinId> joins = new ArrayList<>();
		for (int n = 0; n < JOINS; n++) {
			JoinId join = app.joins.start(NewJoin.expecting(MEMBERS).whenEnded("then").build());
			List<OutboxMessage> messages = new ArrayList<>(JoinFixture.messages("work", MEMBERS - POISON));
			messages.addAll(JoinFixture.messages("poison", POISON));
			app.joins.enqueueAll(join, messages);
			joins.add(join);
		}
		// Whoever delivers one of these dies of it: at once, or somewhat later.
		List<Integer> deadly = List.of(20 + random.nextInt(50), 120 + random.nextInt(50), 220 + random.nextInt(50));
		List<Callable<Void>> lives = new ArrayList<>();
		for (int n = 0; n < INSTANCES; n++) {
			lives.add(() -> live(deadly));
		}
		for (Future<Void> lived : this.threads.invokeAll(lives)) {
			lived.get();
		}
		app.worker.start();
		Await.until("all joins are closed", () -> app.joins.open(null, 100).isEmpty());
		Await.until("everything is counted", () -> app.store.count(1).reports() == 0);
		logger.info("Seed {}: {} deliveries of {} messages", seed, this.delivered, JOINS * (MEMBERS - POISON));
		assertThat(this.delivered.get()).as("deliveries, some of them again, seed %d", seed)
			.isGreaterThan(JOINS * (MEMBERS - POISON));
		assertThat(this.fixture.followedIn("then")).as("seed %d", seed)
			.hasSize(JOINS)
			.doesNotHaveDuplicates()
			.allSatisfy((result) -> assertThat(result).extracting(JoinResult::done, JoinResult::failed)
				.containsExactly(MEMBERS - POISON, POISON));
		joins.forEach((join) -> assertThat(app.find(join)).extracting(Join::done, Join::failed, Join::late)
			.containsExactly(MEMBERS - POISON, POISON, 0));
	}

	/**
	 * Delivers and counts until nothing is left; after a death another instance comes.
	 */
	private Void live(List<Integer> deadly) {
		JoinInstance instance = join(deadly);
		while (this.fixture.count(WAITING) > 0) {
			try {
				instance.deliveries.runOnce();
			}
			catch (RuntimeException ex) {
				if (!instance.isKilled()) {
					throw ex;
				}
			}
			if (instance.isKilled()) {
				instance.worker.stop();
				// It counts as dead now, and so may others, in the middle of their work.
				this.fixture.clock.advance(CoordinatorSettings.defaults().staleAfter().multipliedBy(2));
				instance = join(deadly);
			}
		}
		return null;
	}

	private JoinInstance join(List<Integer> deadly) {
		JoinInstance instance = this.fixture.instance();
		instance.work = (message) -> deliver(instance, message, deadly);
		instance.worker.start();
		return instance;
	}

	private void deliver(JoinInstance instance, Envelope message, List<Integer> deadly) {
		int number = deadly.indexOf(this.delivered.incrementAndGet());
		if (number == 0) {
			instance.kill();
		}
		else if (number > 0) {
			this.threads.execute(instance::kill);
		}
	}

	@Test
	void anInstanceThatIsKilledWhileItClosesAJoinLeavesItToOthers() {
		JoinInstance app = this.fixture.instance();
		JoinInstance other = this.fixture.instance();
		JoinId join = app.joins.start(NewJoin.expecting(1).whenEnded("then").build());
		app.joins.attach(join, "a");
		app.joins.reportDone(join, "a");
		// It has closed the join, and is about to enqueue what follows.
		app.following = app::kill;
		assertThatException().isThrownBy(app.worker::runUntilIdle);
		assertThat(app.isKilled()).isTrue();
		assertThat(other.find(join)).extracting(Join::status, Join::done).containsExactly(JoinStatus.OPEN, 0);
		other.worker.runUntilIdle();
		assertThat(other.find(join)).extracting(Join::status, Join::done).containsExactly(JoinStatus.DONE, 1);
		assertThat(this.fixture.followedIn("then")).hasSize(1);
	}

	@Test
	void theDeadlineAndTheLastMemberRaceAndOneOfThemWins() throws Exception {
		this.fixture.clock.set(JoinFixture.NOON);
		JoinInstance app = this.fixture.instance();
		JoinInstance other = this.fixture.instance();
		List<JoinId> joins = new ArrayList<>();
		for (int n = 0; n < RACES; n++) {
			JoinId join = app.joins.start(NewJoin.expecting(2)
				.deadline(Duration.ofSeconds(1 + n))
				.whenEnded("then")
				.whenExpired("then")
				.build());
			app.joins.attachAll(join, List.of("first", "last"));
			app.joins.reportDone(join, "first");
			joins.add(join);
		}
		CyclicBarrier start = new CyclicBarrier(4);
		List<Callable<Void>> racers = List.of(racer(start, (race) -> this.fixture.clock.advance(Duration.ofSeconds(1))),
				racer(start, (race) -> app.joins.reportDone(joins.get(race), "last")),
				racer(start, (race) -> app.worker.runUntilIdle()), racer(start, (race) -> other.worker.runUntilIdle()));
		for (Future<Void> raced : this.threads.invokeAll(racers)) {
			raced.get();
		}
		app.worker.runUntilIdle();
		List<JoinResult> followed = this.fixture.followedIn("then");
		logger.info("{} of {} in time", followed.stream().filter((result) -> result.missing() == 0).count(), RACES);
		assertThat(followed).extracting(JoinResult::join)
			.containsExactlyInAnyOrderElementsOf(joins.stream().map(JoinId::toString).toList());
		followed.forEach((result) -> assertThat(app.find(JoinId.of(result.join())))
			.extracting(Join::status, Join::done, Join::late)
			.containsExactly((result.missing() == 0) ? JoinStatus.DONE : JoinStatus.EXPIRED, result.done(),
					2 - result.done()));
	}

	private static Callable<Void> racer(CyclicBarrier start, IntConsumer runs) {
		return () -> {
			for (int race = 0; race < RACES; race++) {
				start.await();
				runs.accept(race);
			}
			return null;
		};
	}

}
