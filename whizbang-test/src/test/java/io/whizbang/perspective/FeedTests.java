package io.whizbang.perspective;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import io.whizbang.coordinator.JdbcCalls;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.perspective.PerspectiveFixture.Noted;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What commits late is not lost, and keeps nobody waiting.
 */
@PostgresTest
class FeedTests {

	private final PostgresDatabase database;

	private final PerspectiveFixture fixture;

	private final JdbcTransactionManager manager;

	FeedTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new PerspectiveFixture(database);
		this.manager = new JdbcTransactionManager(database.dataSource());
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void anEventThatCommitsLateIsApplied() {
		this.fixture.start(new RecordingPerspective("p"));
		TransactionStatus late = this.manager.getTransaction(new DefaultTransactionDefinition());
		this.fixture.store.append("late", ExpectedVersion.any(), new Noted(1), new Noted(2));
		inParallel(() -> this.fixture.append("early", 2));
		inParallel(() -> this.fixture.awaitApplied("p", 2));
		this.manager.commit(late);
		this.fixture.awaitApplied("p", 4);
		assertThat(this.fixture.applied("p")).containsExactly("early/1", "early/2", "late/1", "late/2");
		assertThat(this.fixture.count("select max(position) from applied where stream = 'late'"))
			.isLessThan(this.fixture.count("select min(position) from applied where stream = 'early'"));
	}

	/**
	 * PostgreSQL's xmax is behind the last transaction that has ended: younger ones that
	 * run are not listed in a snapshot, though they may have drawn positions.
	 */
	@Test
	void anEventOfATransactionThatIsYoungerThanAllThatHaveEndedIsNotLost() {
		JdbcFeed feed = new JdbcFeed(new JdbcCalls(this.database.unpooledDataSource(), PerspectiveFixture.SCHEMA));
		for (int i = 0; i < 20; i++) {
			TransactionStatus youngest = this.manager.getTransaction(new DefaultTransactionDefinition());
			this.fixture.append("late-" + i, 1);
			Tick before = next(feed, Tick.START);
			this.manager.commit(youngest);
			Tick after = next(feed, before);
			assertThat(positions(feed, before, after)).hasSize(1);
			assertThat(feed.next(after)).isNull();
		}
	}

	private static Tick next(JdbcFeed feed, Tick base) {
		Tick next = feed.next(base);
		assertThat(next).as("the tick behind " + base).isNotNull();
		return next;
	}

	private static List<Long> positions(JdbcFeed feed, Tick base, Tick target) {
		ShardGroup all = new ShardGroup(new Place(base, target, 0), List.of(new HeldShard(0, 1, 1, Place.at(base))));
		return feed
			.page(new RunInfo(-1, new PerspectiveRun("p", 1, 1), true, 1), all, List.of(),
					PerspectiveFixture.SETTINGS.page())
			.events()
			.stream()
			.map((event) -> event.event().position())
			.toList();
	}

	@Test
	void manyLateEventsOfOneTransactionComeInPages() {
		this.fixture.start(PerspectiveFixture.SETTINGS.withPages(10, 4), new RecordingPerspective("p"));
		TransactionStatus late = this.manager.getTransaction(new DefaultTransactionDefinition());
		for (int i = 0; i < 20; i++) {
			this.fixture.append("late-" + i % 5, 10);
		}
		inParallel(() -> this.fixture.append("early", 3));
		inParallel(() -> this.fixture.awaitApplied("p", 3));
		this.fixture.append("late-0", 1);
		this.manager.commit(late);
		this.fixture.awaitApplied("p", 204);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	@Test
	void aLongTransactionElsewhereKeepsNobodyWaiting() throws SQLException {
		this.fixture.start(new RecordingPerspective("p"));
		try (Connection other = this.database.unpooledDataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("select pg_current_xact_id()");
			for (int i = 1; i <= 5; i++) {
				this.fixture.append("A", 1);
				this.fixture.awaitApplied("p", i);
			}
			other.rollback();
		}
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	@Test
	void whatIsRolledBackLeavesAHoleAndNothingElse() {
		this.fixture.start(new RecordingPerspective("p"));
		new TransactionTemplate(this.manager).executeWithoutResult((status) -> {
			this.fixture.append("A", 50_000);
			status.setRollbackOnly();
		});
		this.fixture.append("A", 2);
		this.fixture.awaitApplied("p", 2);
		assertThat(this.fixture.applied("p")).containsExactly("A/1", "A/2");
	}

	@Test
	void nothingIsWrittenWhileNothingIsNew() throws SQLException {
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.append("A", 3);
		this.fixture.awaitApplied("p", 3);
		try (Connection other = this.database.unpooledDataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("select pg_current_xact_id()");
			this.fixture.append("A", 1);
			this.fixture.awaitApplied("p", 4);
			this.fixture.awaitDone(instance, "p");
			long moves = moves();
			awaitPolls(instance, 10);
			assertThat(moves()).as("with an open transaction").isEqualTo(moves);
			other.rollback();
			awaitPolls(instance, 10);
			assertThat(moves()).as("after a transaction that wrote nothing").isEqualTo(moves);
		}
	}

	@Test
	void aNewRunBeginsWithTheFirstEventAndGoesOnWithWhatComes() {
		for (int i = 0; i < 30; i++) {
			this.fixture.append("stream-" + i % 7, 5);
		}
		this.fixture.start(PerspectiveFixture.SETTINGS.withPages(20, 100), new RecordingPerspective("p"));
		for (int i = 0; i < 30; i++) {
			this.fixture.append("stream-" + i % 7, 1);
		}
		this.fixture.awaitApplied("p", 180);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	@Test
	void shardsThatAreNotEquallyFarMeetAndGoOnTogether() {
		PerspectiveInstance first = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.append("A", 3);
		this.fixture.awaitApplied("p", 3);
		first.close();
		this.fixture.jdbc.update("""
				update whizbang.wh_perspective_shards set base_snapshot = '1:1:', base_low = 0, base_high = 0
				where shard %% 2 = 0 and shard <> whizbang.stream_shard(?, 16)""".replace("%%", "%"),
				io.whizbang.message.StreamId.of("A").value());
		this.fixture.append("B", 2);
		this.fixture.start(new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 5);
		Await.untilAsserted(() -> assertThat(this.fixture.jdbc
			.queryForList("select distinct base_snapshot::text, base_low from whizbang.wh_perspective_shards"))
			.hasSize(1));
		assertThat(this.fixture.faults("p", 1)).isEmpty();
	}

	@Test
	void readsInTheOrderOfTicks() {
		List<Tick> ticks = List.of(Tick.START, new Tick("5:9:5,7", 10, 10, 0), new Tick("7:9:7", 10, 11, 0),
				new Tick("9:9:", 10, 11, 0), new Tick("9:12:", 10, 11, 0), new Tick("1:1:", 20, 20, 20),
				new Tick("3:4:", 21, 22, 20));
		assertThat(ticks).isSorted();
		assertThat(ticks.get(1).compareTo(ticks.get(1))).isZero();
	}

	private long moves() {
		return this.fixture.count("select sum(moves) from whizbang.wh_perspective_shards");
	}

	/** Waits until an instance has looked so often. */
	private void awaitPolls(PerspectiveInstance instance, int polls) {
		for (int i = 0; i < polls; i++) {
			instance.worker.look();
			Await.until(() -> "a round", Duration.ofSeconds(10), instance.worker::hasLooked);
		}
	}

	private static void inParallel(Runnable task) {
		Thread thread = new Thread(task);
		Throwable[] failure = new Throwable[1];
		thread.setUncaughtExceptionHandler((where, ex) -> failure[0] = ex);
		thread.start();
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		assertThat(failure[0]).isNull();
	}

}
