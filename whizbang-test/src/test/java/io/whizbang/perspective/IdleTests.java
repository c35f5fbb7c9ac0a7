package io.whizbang.perspective;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcWorkCoordinator;
import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
import io.whizbang.outbox.CountingDataSource;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.PermanentFailureException;
import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import io.whizbang.worker.WorkerLifecycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a worker asks the database while it has nothing to do.
 */
@PostgresTest
class IdleTests {

	/** So many polls after the last work they are a second apart. */
	private static final int SLOWING_DOWN = 6;

	private static final CoordinatorSettings RULES = CoordinatorSettings.defaults();

	private final PerspectiveFixture fixture;

	private final HikariDataSource pool;

	private final CountingDataSource counted;

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final PostgresListener listener;

	private final WorkNotifier notifier;

	private final WorkerLifecycle announcements;

	private final AtomicBoolean broken = new AtomicBoolean();

	private final AtomicBoolean brokenBeside = new AtomicBoolean();

	private final PerspectiveWorker worker;

	private final Perspectives perspectives;

	IdleTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
		this.pool = database.createPool(8);
		this.counted = new CountingDataSource(this.pool);
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(PerspectiveFixture.SCHEMA);
		this.listener = new PostgresListener(database.unpooledDataSource()::getConnection, channel);
		this.notifier = new WorkNotifier(database.dataSource(), channel);
		this.announcements = new WorkerLifecycle(List.of(), this.listener, this.notifier);
		RecordingPerspective narrow = new RecordingPerspective("p").before((event, run) -> {
			if (this.broken.get() || this.brokenBeside.get() && run.run() == 2 && event.stream().key().equals("s-3")) {
				throw new PermanentFailureException("never");
			}
		});
		RecordingPerspective wide = new RecordingPerspective("wide").concurrency(3);
		narrow.use(this.counted);
		wide.use(this.counted);
		PerspectiveParts parts = PerspectiveParts.of(this.counted, PerspectiveFixture.SCHEMA,
				new JdbcTransactionManager(this.counted), PerspectiveFixture.CODEC, PerspectiveFixture.TYPES,
				List.of(narrow, wide));
		this.worker = new PerspectiveWorker(parts,
				new JdbcWorkCoordinator(this.counted, PerspectiveFixture.SCHEMA, RULES), RULES,
				new InstanceInfo("test", "localhost", 1, Map.of()), this.executor, this.listener::healthy);
		this.perspectives = new JdbcPerspectives(parts, this.worker);
	}

	@AfterEach
	void close() {
		this.worker.stop();
		this.announcements.stop();
		this.executor.shutdownNow();
		this.pool.close();
		this.fixture.close();
	}

	@Test
	void anIdleWorkerAsksOnceInASecondAndItsLanesAskNothing() {
		this.worker.start();
		work();
		assertIdle(9, "after work");
	}

	/** Who is not alone asks twice, as somebody may have died. */
	@Test
	void anIdleWorkerThatListensAsksLessThanOnceInASecond() {
		new PerspectiveSignal(this.worker, this.notifier);
		this.listener.wakes(this.worker);
		this.announcements.start();
		Await.until("it listens", this.listener::healthy);
		this.worker.start();
		PerspectiveInstance other = this.fixture.prepare(RULES, (parts) -> parts, new RecordingPerspective("p"),
				new RecordingPerspective("wide"));
		other.worker.start();
		Await.until("both have a share", () -> this.worker.shards() == 16 && other.worker.shards() == 16);
		work();
		// Eight statements in a row are four polls, and the next two take 1.6 s and 3.2
		// s.
		awaitNothingBut(8);
		assertIdle(4, "of one that listens");
		assertThat(this.listener.healthy()).as("it still listens").isTrue();
	}

	@Test
	void neitherWhatIsOpenNorWhatWasRolledBackNorADeadStreamKeepsItBusy() {
		this.worker.start();
		work();
		JdbcTransactionManager manager = new JdbcTransactionManager(this.fixture.database.dataSource());
		TransactionStatus late = manager.getTransaction(new DefaultTransactionDefinition());
		this.fixture.append("late", 3);
		awaitCaughtUp();
		assertIdle(3, "while a transaction has appended and is open");
		manager.rollback(late);
		this.broken.set(true);
		this.fixture.append("dead", 2);
		Await.until("the death", () -> this.fixture.status("dead") == 2);
		awaitCaughtUp();
		assertIdle(3, "with a dead stream, behind what was rolled back");
	}

	@Test
	void aSwitchThatIsHeldBackIsTriedNowAndThen() {
		this.worker.start();
		work();
		this.brokenBeside.set(true);
		this.perspectives.rebuildBeside("p");
		Await.until("the death beside", () -> this.fixture
			.count("select count(*) from whizbang.wh_perspective_checkpoints where status = 2") == 1);
		Await.until("the others beside", () -> this.fixture.applied("p", 2).size() == 38);
		Await.until("a try", () -> statements(0).stream().anyMatch((sql) -> sql.contains("switch_perspective")));
		awaitPolls(statements(0).size(), SLOWING_DOWN);
		int start = statements(0).size();
		awaitPolls(start, 5);
		assertThat(statements(start).stream().filter((sql) -> sql.contains("switch_perspective")))
			.as("tries in about four seconds")
			.hasSizeBetween(1, 8);
		this.brokenBeside.set(false);
		assertThat(this.perspectives.retry("p", StreamId.of("s-3"), Operator.named("ada"))).isTrue();
		Await.until("the switch", () -> this.perspectives.status("p").get(0).run().run() == 2);
	}

	private void awaitPolls(int start, int polls) {
		Await.until("several polls", () -> statements(start).stream().filter(IdleTests::isPoll).count() >= polls);
	}

	private void work() {
		for (int i = 0; i < 20; i++) {
			this.fixture.append("s-" + i, 2);
		}
		this.fixture.awaitApplied("p", 40);
		this.fixture.awaitApplied("wide", 40);
		awaitCaughtUp();
	}

	private void awaitCaughtUp() {
		Await.until(() -> "all shards are where the events end; " + this.fixture.standing(),
				() -> this.fixture.count("""
						select count(*) from whizbang.wh_perspective_shards
						where base_low < whizbang.last_position() or target_snapshot is not null""") == 0);
		awaitNothingBut(SLOWING_DOWN);
	}

	/** Polls become rarer with each that finds nothing. */
	private void awaitNothingBut(int polls) {
		Await.until(() -> "nothing but polls: " + this.counted.statements(), () -> {
			List<String> all = List.copyOf(this.counted.statements());
			return all.size() >= polls
					&& all.subList(all.size() - polls, all.size()).stream().allMatch(IdleTests::isPoll);
		});
	}

	/** Counts over several polls, however long these take. */
	private void assertIdle(int polls, String when) {
		int start = this.counted.statements().size();
		long begin = System.nanoTime();
		Await.until("several polls", () -> statements(start).stream().filter(IdleTests::isPoll).count() >= polls);
		double seconds = (System.nanoTime() - begin) / 1e9;
		assertThat(statements(start)).as("statements " + when).allMatch(IdleTests::isPoll);
		assertThat(seconds).as("seconds for %d statements, %s", polls, when).isGreaterThan(polls - 1.5);
	}

	private List<String> statements(int start) {
		List<String> all = List.copyOf(this.counted.statements());
		return all.subList(start, all.size());
	}

	private static boolean isPoll(String sql) {
		return sql.contains("hold_perspectives") || sql.contains("next_perspective_death");
	}

}
