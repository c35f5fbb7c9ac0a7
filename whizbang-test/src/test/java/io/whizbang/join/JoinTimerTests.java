package io.whizbang.join;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.timer.JdbcTimerStore;
import io.whizbang.timer.JdbcTimers;
import io.whizbang.timer.NewTimer;
import io.whizbang.timer.TimerId;
import io.whizbang.timer.TimerSettings;
import io.whizbang.timer.Timers;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Timers as members: they report when they have fired and were delivered, or when they
 * are cancelled. Bears on G1 (a cancelled member is reported if and only if the
 * cancellation commits), G2 and G8 (either it fires or it is reported as cancelled).
 */
@PostgresTest
class JoinTimerTests {

	private final PostgresDatabase database;

	private JoinFixture fixture;

	private JoinInstance app;

	JoinTimerTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new JoinFixture(this.database);
		this.fixture.clock.set(JoinFixture.NOON);
		this.app = this.fixture.instance();
	}

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	private JoinId start(int expected) {
		return this.app.joins.start(NewJoin.expecting(expected).whenEnded("then").build());
	}

	/** Attaches a timer to "work" or "poison" under a name, which is also its key. */
	private TimerId schedule(JoinId join, String topic, String name) {
		this.app.joins.attach(join, name);
		return this.app.timers.schedule(
				NewTimer.to(topic, 1).headers(join.headers(name)).key(name).after(Duration.ofMinutes(10)).build());
	}

	private void fire() {
		this.fixture.clock.advance(Duration.ofMinutes(10));
		this.app.run();
	}

	@Test
	void aTimerReportsItselfWhenItHasFiredAndWasDelivered() {
		JoinId join = start(3);
		schedule(join, "work", "reminder");
		schedule(join, "poison", "bad");
		this.app.transaction.executeWithoutResult((status) -> {
			TimerId id = this.app.timers
				.schedule(NewTimer.to("work", 1).headers(join.headers()).after(Duration.ofMinutes(10)).build());
			this.app.joins.attach(join, id.toString());
		});
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::attached, Join::done).containsExactly(3, 0);
		fire();
		assertThat(this.fixture.followedIn("then")).singleElement()
			.extracting(JoinResult::status, JoinResult::done, JoinResult::failed)
			.containsExactly(JoinStatus.FAILED, 2, 1);
	}

	@Test
	void aTimerThatIsCancelledHasFailed() {
		JoinId join = start(3);
		TimerId first = schedule(join, "work", "first");
		schedule(join, "work", "second");
		schedule(join, "work", "third");
		assertThat(this.app.timers.cancel(first)).isTrue();
		assertThat(this.app.timers.cancel("second")).isTrue();
		assertThat(this.app.timers.cancel("second")).isFalse();
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::status, Join::failed).containsExactly(JoinStatus.OPEN, 2);
		assertThat(this.app.joins.members(join, null, 1)).singleElement()
			.extracting(JoinMember::outcome, JoinMember::reason, JoinMember::reportedAt)
			.containsExactly(JoinMember.Outcome.FAILED, "the timer was cancelled", JoinFixture.NOON);
		fire();
		assertThat(this.fixture.followedIn("then")).singleElement()
			.extracting(JoinResult::status, JoinResult::done, JoinResult::failed)
			.containsExactly(JoinStatus.FAILED, 1, 2);
	}

	@Test
	void aCancellationThatIsRolledBackReportsNothing() {
		JoinId join = start(1);
		TimerId timer = schedule(join, "work", "reminder");
		this.app.transaction.executeWithoutResult((status) -> {
			assertThat(this.app.timers.cancel(timer)).isTrue();
			status.setRollbackOnly();
		});
		this.app.run();
		assertThat(this.app.find(join).status()).isEqualTo(JoinStatus.OPEN);
		fire();
		assertThat(this.app.find(join)).extracting(Join::status, Join::done, Join::failed)
			.containsExactly(JoinStatus.DONE, 1, 0);
	}

	@Test
	void whoeverCancelsMaySayFirstThatTheMemberIsDone() {
		JoinId join = start(1);
		TimerId timer = schedule(join, "work", "reminder");
		this.app.transaction.executeWithoutResult((status) -> {
			this.app.joins.reportDone(join, "reminder");
			this.app.timers.cancel(timer);
		});
		this.app.run();
		assertThat(this.app.find(join)).extracting(Join::status, Join::done, Join::failed)
			.containsExactly(JoinStatus.DONE, 1, 0);
	}

	@Test
	void tellsOfMembersOnlyAndAfterTheCommitOnly() {
		List<Queue> told = new ArrayList<>();
		Timers timers = new JdbcTimers(new JdbcTimerStore(this.app.pool, JoinFixture.SCHEMA, this.fixture.clock),
				new JsonMessageCodec(JsonMapper.shared()), TopicCheck.NONE, MessageObservations.NONE,
				TimerSettings.defaults(), WorkSignal.NONE, new WorkListener() {

					@Override
					public void membersEnded(Queue queue) {
						told.add(queue);
					}

				});
		JoinId join = start(2);
		List.of("one", "two").forEach((name) -> schedule(join, "work", name));
		timers.cancel(timers.schedule("work", 1, Duration.ofMinutes(10)));
		this.app.transaction.executeWithoutResult((status) -> {
			timers.cancel("one");
			status.setRollbackOnly();
		});
		assertThat(told).isEmpty();
		this.app.transaction.executeWithoutResult((status) -> {
			timers.cancel("one");
			assertThat(told).isEmpty();
		});
		assertThat(told).containsExactly(Queue.OUTBOX);
		timers.cancel("two");
		assertThat(told).hasSize(2);
	}

}
