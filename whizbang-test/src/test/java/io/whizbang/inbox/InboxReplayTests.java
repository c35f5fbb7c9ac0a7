package io.whizbang.inbox;

import io.whizbang.letter.AuditEntry;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetterSummary;
import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.letter.LetterListener;
import io.whizbang.letter.Operator;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dead letters of the inbox: a replay is no duplicate, and only those receptors get it
 * that need it.
 */
@PostgresTest
class InboxReplayTests {

	private static final Operator ADA = Operator.named("ada");

	private final InboxFixture fixture;

	private final JdbcDeadLetters letters;

	private final RecordingReceptor mails;

	private final RecordingReceptor bills;

	private final ManualWorker worker;

	InboxReplayTests(PostgresDatabase database) {
		this.fixture = new InboxFixture(database);
		this.letters = new JdbcDeadLetters(this.fixture.dataSource, "whizbang", WorkSignal.NONE, LetterListener.NONE);
		this.mails = this.fixture.receptor("mails");
		this.bills = this.fixture.receptor("bills").retrying((policy) -> policy.withMaxAttempts(1)).failsFor("m1");
		this.worker = this.fixture.worker();
	}

	@BeforeEach
	void letTheBillDie() {
		this.fixture.receive("m1");
		this.worker.runUntilIdle();
		assertThat(this.mails.called()).containsExactly("m1");
		assertThat(this.fixture.recorded()).containsExactly("mails:1");
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void letterTellsWhereItsMessageCameFrom() {
		DeadLetterSummary letter = letter();
		assertThat(letter.queue()).isEqualTo(Queue.INBOX);
		assertThat(letter.source()).isEqualTo(InboxFixture.SOURCE);
		assertThat(letter.error()).contains("bills");
		assertThat(this.letters.list(DeadLetterFilter.ALL.source(InboxFixture.SOURCE), null, 10).letters())
			.containsExactly(letter);
	}

	@Test
	void replayIsNoDuplicateAndGoesOnlyToThoseWhoFailed() {
		this.bills.then((name, envelope) -> {
		});
		assertThat(this.letters.replay(letter().id(), ADA).count()).isEqualTo(1);
		assertThat(this.fixture.waiting()).containsExactly("m1");
		this.worker.runUntilIdle();
		assertThat(this.mails.called()).containsExactly("m1");
		assertThat(this.bills.called()).containsExactly("m1", "m1");
		assertThat(this.fixture.things()).containsExactly("bills:m1", "mails:m1");
		assertThat(this.fixture.recorded()).isEmpty();
		assertThat(this.fixture.deadLetters()).isEmpty();
		assertThat(this.fixture.inbox.receive(InboxFixture.message("m1"))).isEqualTo(Receipt.DUPLICATE);
	}

	@Test
	void secondDeathShowsTheFirst() {
		this.letters.replay(letter().id(), ADA);
		this.worker.runUntilIdle();
		assertThat(this.bills.called()).containsExactly("m1", "m1");
		assertThat(letter().replays()).isEqualTo(1);
	}

	@Test
	void auditTellsWhoReplayedWhatAndWhyItHadDied() {
		DeadLetterSummary letter = letter();
		this.letters.replay(letter.id(), ADA.noting("bills are back"));
		this.worker.runUntilIdle();
		assertThat(this.letters.audit(InboxFixture.message("m1").messageId(), null, 10)).singleElement()
			.satisfies((entry) -> {
				assertThat(entry.action()).isEqualTo(AuditEntry.Action.REPLAYED);
				assertThat(entry.by()).isEqualTo(new Operator("ada", "bills are back"));
				assertThat(entry.letterId()).isEqualTo(letter.id());
				assertThat(entry.queue()).isEqualTo(Queue.INBOX);
				assertThat(entry.source()).isEqualTo(InboxFixture.SOURCE);
				assertThat(entry.attempts()).isEqualTo(1);
				assertThat(entry.error()).contains("no m1 for bills");
			});
	}

	@Test
	void discardedMessageLeavesNothingBehindButThatItCame() {
		this.letters.discard(letter().id(), ADA);
		assertThat(this.fixture.recorded()).isEmpty();
		assertThat(this.fixture.inbox.receive(InboxFixture.message("m1"))).isEqualTo(Receipt.DUPLICATE);
	}

	private DeadLetterSummary letter() {
		return this.letters.list(DeadLetterFilter.ALL, null, 10).letters().get(0);
	}

}
