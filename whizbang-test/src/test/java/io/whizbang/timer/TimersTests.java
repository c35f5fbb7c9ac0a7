package io.whizbang.timer;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Work;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What becomes of timers, by a clock that the test moves.
 */
@PostgresTest
class TimersTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private static final Duration MOMENT = Duration.ofNanos(1000);

	private final TimerFixture fixture;

	private final Timers timers;

	TimersTests(PostgresDatabase database) {
		this.fixture = new TimerFixture(database);
		this.timers = this.fixture.timers;
	}

	private NewTimer.Builder timer(Object payload) {
		return NewTimer.to("test", payload).after(SOON);
	}

	@Test
	void firesOnceWhenItsTimeHasComeAndNotEarlier() {
		this.timers.schedule("test", 1, SOON);
		this.fixture.pass(SOON.minus(MOMENT));
		assertThat(this.fixture.payloads()).isEmpty();
		this.fixture.pass(MOMENT);
		assertThat(this.fixture.payloads()).containsExactly("1");
		this.fixture.pass(Duration.ofHours(1));
		assertThat(this.fixture.payloads()).isEmpty();
	}

	@Test
	void aCrashOfTheDatabaseDoesNotForgetThatATimerHasFired() {
		JdbcTemplate jdbc = this.fixture.jdbc;
		jdbc.execute("""
				create table commit_of_claim (number int generated always as identity, setting text);
				create function note_commit() returns trigger language plpgsql as $$
				begin
				    insert into commit_of_claim (setting) values (current_setting('synchronous_commit'));
				    return null;
				end $$;
				create constraint trigger note_commit after insert on whizbang.wh_claims
				    deferrable initially deferred for each row execute function note_commit()""");
		try {
			delayed("delayed");
			assertThat(this.fixture.payloads()).containsExactly("delayed");
			this.timers.schedule("test", 1, Duration.ZERO);
			delayed("with a timer");
			assertThat(this.fixture.payloads()).containsExactlyInAnyOrder("1", "with a timer");
			delayed("after it");
			assertThat(this.fixture.payloads()).containsExactly("after it");
			assertThat(jdbc.queryForList("select setting from commit_of_claim order by number", String.class))
				.as("only what fires timers waits for the disk")
				.containsExactly("off", "on", "off");
		}
		finally {
			jdbc.execute("drop trigger note_commit on whizbang.wh_claims; drop function note_commit();"
					+ "drop table commit_of_claim");
		}
	}

	/** A delayed message that is due, and is no timer. */
	private void delayed(String payload) {
		this.fixture.jdbc.update("""
				insert into whizbang.wh_scheduled
				    (queue, due_at, partition_hash, size, message_id, topic, message_type, headers, payload, created_at)
				values (1, ?, 1, 1, gen_random_uuid(), 'test', 'Test', '{}', ?, now())""",
				this.fixture.clock.now().atOffset(ZoneOffset.UTC), payload);
	}

	@Test
	void firesInTheOrderOfDueTimes() {
		Instant now = this.fixture.clock.now();
		this.timers.schedule("test", 3, now.plusSeconds(3));
		this.timers.schedule("test", 1, now.plusSeconds(1));
		this.timers.schedule("test", 2, Duration.ofSeconds(2));
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactly("1", "2", "3");
	}

	@Test
	void itsMessageTellsAboutTheTimer() {
		TimerId id = this.timers.schedule(timer("hello").key("order-1").stream("orders").header("own", "yes").build());
		Instant due = this.fixture.clock.now().plus(SOON);
		this.fixture.pass(SOON.plusMillis(250));
		Envelope message = this.fixture.fire().get(0).envelope();
		assertThat(message.id()).isEqualTo(id.messageId());
		assertThat(message.topic()).isEqualTo("test");
		assertThat(message.type()).isEqualTo("java.lang.String");
		assertThat(message.stream()).isEqualTo(StreamId.of("orders"));
		assertThat(message.headers()).containsEntry("own", "yes");
		assertThat(DueTimer.of(message))
			.isEqualTo(new DueTimer(id, "order-1", due, this.fixture.clock.now(), Duration.ofMillis(250)));
	}

	@Test
	void callerLearnsOfTheNextDueTimeAlsoWithAClaim() {
		this.timers.schedule("test", 1, Duration.ZERO);
		this.timers.schedule("test", 2, Duration.ofSeconds(2));
		assertThat(this.fixture.claim().nextDue()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void dueTimeInThePastFiresAtOnce() {
		this.fixture.fire();
		Instant past = this.fixture.clock.now().minus(Duration.ofDays(3));
		this.timers.schedule("test", 1, past);
		Work fired = this.fixture.fire().get(0);
		DueTimer due = DueTimer.of(fired.envelope());
		assertThat(due.due()).isEqualTo(past);
		assertThat(due.lateness()).as("late since it was scheduled").isZero();
	}

	@Test
	void theEarliestDueTimeFiresAtOnceToo() {
		this.fixture.fire();
		this.timers.schedule("test", 1, Instant.EPOCH);
		assertThat(this.fixture.payloads()).containsExactly("1");
	}

	@Test
	void pendingTimerIsReplacedByItsKey() {
		TimerId first = this.timers.schedule(timer(1).key("k").build());
		TimerId second = this.timers.schedule(timer(2).key("k").after(SOON.multipliedBy(2)).build());
		assertThat(second).isNotEqualTo(first);
		assertThat(this.timers.find(first)).isEmpty();
		assertThat(this.timers.find("k").map(PendingTimer::id)).contains(second);
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).isEmpty();
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactly("2");
	}

	@Test
	void pendingTimerIsKeptWhereThatIsWanted() {
		TimerId first = this.timers.schedule(timer(1).key("k").build());
		assertThat(this.timers.schedule(timer(2).key("k").keepExisting().build())).isEqualTo(first);
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactly("1");
		TimerId next = this.timers.schedule(timer(3).key("k").keepExisting().build());
		assertThat(next).as("after it has fired, its key is free").isNotEqualTo(first);
	}

	@Test
	void manyAreScheduledTogether() {
		List<TimerId> ids = this.timers
			.scheduleAll(IntStream.range(0, 2_500).mapToObj((i) -> timer(i).build()).toList());
		assertThat(ids).hasSize(2_500).doesNotHaveDuplicates();
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads())
			.containsExactlyElementsOf(IntStream.range(0, 2_500).mapToObj(Integer::toString).toList());
	}

	@Test
	void manyWithTheSameKeyAreAsIfOneCameAfterTheOther() {
		List<TimerId> ids = this.timers.scheduleAll(List.of(timer(1).key("a").build(), timer(2).key("a").build(),
				timer(3).key("a").keepExisting().build(), timer(4).build()));
		assertThat(ids.get(2)).isEqualTo(ids.get(1));
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactlyInAnyOrder("2", "4");
	}

	@Test
	void cancelledTimerDoesNotFire() {
		TimerId id = this.timers.schedule("test", 1, SOON);
		this.timers.schedule(timer(2).key("k").build());
		assertThat(this.timers.cancel(id)).isTrue();
		assertThat(this.timers.cancel("k")).isTrue();
		assertThat(this.timers.cancel(id)).isFalse();
		assertThat(this.timers.cancel("k")).isFalse();
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).isEmpty();
	}

	@Test
	void timerThatHasFiredCannotBeCancelledMovedOrFound() {
		TimerId id = this.timers.schedule(timer(1).key("k").build());
		this.fixture.pass(SOON);
		this.fixture.claim();
		assertThat(this.timers.cancel(id)).isFalse();
		assertThat(this.timers.cancel("k")).isFalse();
		assertThat(this.timers.reschedule(id, SOON)).isFalse();
		assertThat(this.timers.reschedule("k", SOON)).isFalse();
		assertThat(this.timers.find(id)).isEmpty();
		assertThat(this.timers.find("k")).isEmpty();
	}

	@Test
	void unknownTimersAreNotCancelled() {
		assertThat(this.timers.cancel(TimerId.next())).isFalse();
		assertThat(this.timers.cancel("never seen")).isFalse();
	}

	@Test
	void delayedMessagesAreNoTimers() {
		this.fixture.jdbc.update("""
				insert into whizbang.wh_scheduled
				    (queue, due_at, partition_hash, size, message_id, topic, message_type, headers, payload)
				values (1, clock_timestamp() + interval '1 hour', 7, 1, ?, 'test', 'Test', '{}', 'x')""",
				TimerId.of("00000000-0000-7000-8000-000000000001").value());
		TimerId id = TimerId.of("00000000-0000-7000-8000-000000000001");
		assertThat(this.timers.cancel(id)).isFalse();
		assertThat(this.timers.find(id)).isEmpty();
		assertThat(this.timers.list(null, null, 10).timers()).isEmpty();
		assertThat(this.timers.count(10)).isZero();
	}

	@Test
	void manyAreCancelledTogether() {
		List<TimerId> ids = this.timers.scheduleAll(IntStream.range(0, 100).mapToObj((i) -> timer(i).build()).toList());
		Set<TimerId> cancelled = this.timers.cancelAll(ids.subList(10, 100));
		assertThat(cancelled).containsExactlyInAnyOrderElementsOf(ids.subList(10, 100));
		assertThat(this.timers.cancelAll(ids)).containsExactlyInAnyOrderElementsOf(ids.subList(0, 10));
	}

	@Test
	void isMovedToALaterTime() {
		TimerId id = this.timers.schedule("test", 1, SOON);
		assertThat(this.timers.reschedule(id, this.fixture.clock.now().plusSeconds(60))).isTrue();
		this.fixture.pass(Duration.ofSeconds(59));
		assertThat(this.fixture.payloads()).isEmpty();
		this.fixture.pass(Duration.ofSeconds(1));
		assertThat(DueTimer.of(this.fixture.fire().get(0).envelope()).lateness()).isZero();
	}

	@Test
	void isMovedToAnEarlierTime() {
		this.timers.schedule(timer(1).key("k").after(Duration.ofDays(1)).build());
		assertThat(this.timers.reschedule("k", SOON)).isTrue();
		this.fixture.pass(SOON);
		assertThat(this.fixture.payloads()).containsExactly("1");
	}

	@Test
	void isMovedToThePastAndFiresAtOnce() {
		this.fixture.fire();
		this.timers.schedule(timer(1).key("k").after(Duration.ofDays(1)).build());
		assertThat(this.timers.reschedule("k", this.fixture.clock.now().minusSeconds(100))).isTrue();
		assertThat(this.fixture.payloads()).containsExactly("1");
	}

	@Test
	void isFoundWhileItIsPending() {
		TimerId id = this.timers.schedule(timer("hello").key("k").stream("s").header("h", "1").build());
		PendingTimer found = this.timers.find(id).orElseThrow();
		assertThat(found).isEqualTo(this.timers.find("k").orElseThrow());
		assertThat(found).isEqualTo(
				new PendingTimer(id, "k", "test", "java.lang.String", StreamId.of("s"), java.util.Map.of("h", "1"),
						"\"hello\"", this.fixture.clock.now().plus(SOON), this.fixture.clock.now()));
	}

	@Test
	void isListedPageByPageInTheOrderOfDueTimes() {
		for (int i = 0; i < 25; i++) {
			this.timers.schedule((i % 5 == 0) ? "rare" : "test", i, Duration.ofSeconds(100 - i / 2));
		}
		List<PendingTimer> all = pages(null, 4);
		assertThat(all).hasSize(25);
		assertThat(all).extracting(PendingTimer::due).isSorted();
		assertThat(pages("rare", 2)).hasSize(5).allSatisfy((timer) -> assertThat(timer.topic()).isEqualTo("rare"));
	}

	@Test
	void listLooksAtSoManyRowsAndNoMore() {
		this.timers.scheduleAll(IntStream.range(0, 1_500).mapToObj((i) -> timer(i).build()).toList());
		this.timers.schedule("rare", 1, Duration.ofDays(1));
		TimerPage first = this.timers.list("rare", null, 10);
		assertThat(first.timers()).isEmpty();
		assertThat(first.next()).isNotNull();
		assertThat(pages("rare", 10)).hasSize(1);
	}

	private List<PendingTimer> pages(String topic, int limit) {
		List<PendingTimer> all = new ArrayList<>();
		TimerPage page = this.timers.list(topic, null, limit);
		all.addAll(page.timers());
		while (page.next() != null) {
			page = this.timers.list(topic, page.next(), limit);
			all.addAll(page.timers());
		}
		return all;
	}

	@Test
	void isCountedUpToALimit() {
		this.timers.scheduleAll(IntStream.range(0, 20).mapToObj((i) -> timer(i).build()).toList());
		assertThat(this.timers.count(100)).isEqualTo(20);
		assertThat(this.timers.count(7)).isEqualTo(7);
	}

	@Test
	void badInputIsRefusedWithTheValueAndTheRule() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.timers.schedule("test", 1, Duration.ofMillis(-1)))
			.withMessage("The delay of a timer must be between 0 and 100 years but is PT-0.001S");
		assertThatIllegalArgumentException().isThrownBy(() -> this.timers.schedule("test", 1, Instant.MAX))
			.withMessageContaining("between 1970 and 9999 but is +1000000000");
		assertThatIllegalArgumentException().isThrownBy(() -> this.timers.reschedule("k", Instant.EPOCH.minusMillis(1)))
			.withMessageContaining("between 1970 and 9999 but is 1969-12-31");
		assertThatIllegalArgumentException().isThrownBy(() -> timer(1).key("x".repeat(201)).build())
			.withMessageContaining("key of a timer")
			.withMessageContaining("201 characters, more than 200");
		assertThatIllegalArgumentException().isThrownBy(() -> timer(1).key(" ").build())
			.withMessage("The key of a timer must not be blank");
		assertThatIllegalArgumentException().isThrownBy(() -> this.timers.cancel("x".repeat(201)));
		assertThatIllegalArgumentException().isThrownBy(() -> timer(1).keepExisting().build())
			.withMessageContaining("must have a key");
		assertThatIllegalArgumentException().isThrownBy(() -> NewTimer.to("test", 1).build())
			.withMessageContaining("either a delay or a due time");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> NewTimer.to("test", 1).after(SOON).at(Instant.EPOCH.plusSeconds(1)).build())
			.withMessageContaining("either a delay or a due time");
		assertThatIllegalArgumentException().isThrownBy(() -> this.timers.list(null, "nonsense", 10))
			.withMessageContaining("nonsense");
		assertThatIllegalArgumentException().isThrownBy(() -> this.timers.list(null, null, 0))
			.withMessage("The limit must be between 1 and 10000 but is 0");
		assertThatIllegalArgumentException().isThrownBy(() -> TimerId.of("x"))
			.withMessage("The identity of a timer must be a UUID but is \"x\"");
	}

	@Test
	void workersAreToldOfNearTimersOnly() {
		this.timers.schedule("test", 1, Duration.ofDays(1));
		assertThat(this.fixture.signals).isEmpty();
		this.timers.schedule("test", 1, SOON);
		assertThat(this.fixture.signals).hasSize(1);
	}

}
