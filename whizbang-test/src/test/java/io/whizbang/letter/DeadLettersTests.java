package io.whizbang.letter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.whizbang.letter.AuditEntry.Action;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.FailureText;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static io.whizbang.letter.LetterFixture.ADA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@PostgresTest
class DeadLettersTests {

	private final PostgresDatabase database;

	private final LetterFixture fixture;

	private final JdbcDeadLetters letters;

	DeadLettersTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new LetterFixture(database);
		this.letters = this.fixture.letters;
	}

	@AfterEach
	void leave() {
		this.fixture.close();
	}

	@Test
	void letterTellsAllAboutItsMessage() {
		this.fixture.die("A1");
		DeadLetter letter = this.fixture.letter("A1");
		assertThat(letter.queue()).isEqualTo(Queue.OUTBOX);
		assertThat(letter.source()).isEqualTo("outbox");
		assertThat(letter.reason()).isEqualTo(RetryPolicy.PERMANENT);
		assertThat(letter.error()).contains("no hope for A1", "Caused by: java.lang.IllegalStateException: the root",
				"\tat io.whizbang.letter.LetterFixture.handle");
		assertThat(letter.headers()).containsEntry("traceparent", "00-A1");
		assertThat(letter.instance()).isNotNull();
		assertThat(letter.raw()).isEmpty();
		assertThat(letter.message()).isNotNull();
		assertThat(letter.message().topic()).isEqualTo("things");
		assertThat(letter.message().type()).isEqualTo("Thing");
		assertThat(letter.message().stream()).isEqualTo(StreamId.of("A"));
		assertThat(letter.message().payload()).isEqualTo("A1");
		assertThat(letter.message().createdAt()).isBefore(letter.diedAt());
		assertThat(this.letters.find(letter.id() + 1)).isNull();
	}

	@Test
	void pagesGoFromTheNewestToTheOldestAndMissNothing() {
		this.fixture.bury(25, "max-attempts");
		List<Long> seen = new ArrayList<>();
		List<Integer> sizes = new ArrayList<>();
		@Nullable Long next = null;
		do {
			DeadLetterPage page = this.letters.list(DeadLetterFilter.ALL, next, 10);
			page.letters().forEach((letter) -> seen.add(letter.id()));
			sizes.add(page.letters().size());
			next = page.next();
			// A letter that comes meanwhile does not shift the pages.
			this.fixture.bury(1, "max-attempts");
		}
		while (next != null);
		assertThat(sizes).containsExactly(10, 10, 5);
		assertThat(seen).hasSize(25).doesNotHaveDuplicates().isSortedAccordingTo((a, b) -> Long.compare(b, a));
	}

	@Test
	void fullLastPageHasNoNext() {
		this.fixture.bury(10, "max-attempts");
		assertThat(this.letters.list(DeadLetterFilter.ALL, null, 10).next()).isNull();
	}

	@Test
	void listShowsTheFirstLineOfTheError() {
		this.fixture.die("A1");
		assertThat(this.letters.list(DeadLetterFilter.ALL, null, 1).letters()).singleElement()
			.satisfies((letter) -> assertThat(letter.error())
				.isEqualTo("io.whizbang.work.PermanentFailureException: no hope for A1"));
	}

	@Test
	void everyFilterPicksItsLetters() {
		this.fixture.enqueue(LetterFixture.message("A1", "orders"), LetterFixture.message("B1", "mails"));
		this.fixture.dieAgain("A1", "B1");
		this.fixture.bury(1, "max-attempts");
		this.letters.record(this.fixture.raw("kafka:orders", "{"));
		this.fixture.jdbc()
			.update("update whizbang.wh_dead_letters set message_type = 'Mail', died_at = '2020-01-01Z' where payload = 'B1'");
		MessageId b1 = this.fixture.letter("B1").message().id();
		assertThat(found(DeadLetterFilter.ALL)).containsExactly("kafka:orders", "things", "mails", "orders");
		assertThat(found(DeadLetterFilter.ALL.queue(Queue.OUTBOX))).hasSize(4);
		assertThat(found(DeadLetterFilter.ALL.topic("orders"))).containsExactly("orders");
		assertThat(found(DeadLetterFilter.ALL.type("Mail"))).containsExactly("mails");
		assertThat(found(DeadLetterFilter.ALL.reason("max-attempts"))).containsExactly("things");
		assertThat(found(DeadLetterFilter.ALL.source("kafka:orders"))).containsExactly("kafka:orders");
		assertThat(found(DeadLetterFilter.ALL.stream(StreamId.of("A")))).containsExactly("orders");
		assertThat(found(DeadLetterFilter.ALL.messageId(b1))).containsExactly("mails");
		Instant later = Instant.parse("2020-01-02T00:00:00Z");
		assertThat(found(DeadLetterFilter.ALL.until(later))).containsExactly("mails");
		assertThat(found(DeadLetterFilter.ALL.from(later))).hasSize(3).doesNotContain("mails");
		assertThat(found(DeadLetterFilter.ALL.topic("orders").type("Mail"))).isEmpty();
		assertThat(found(DeadLetterFilter.ALL.reason("it's \"quoted\" \0"))).isEmpty();
	}

	private List<String> found(DeadLetterFilter filter) {
		return this.letters.list(filter, null, 100)
			.letters()
			.stream()
			.map((letter) -> (letter.topic() != null) ? letter.topic() : letter.source())
			.toList();
	}

	@Test
	void badFiltersAndLimitsAreRefused() {
		Instant time = Instant.parse("2020-01-02T00:00:00Z");
		assertThatIllegalArgumentException().isThrownBy(() -> DeadLetterFilter.ALL.from(time).until(time))
			.withMessageContaining("2020-01-02T00:00:00Z");
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.list(DeadLetterFilter.ALL, null, 1001))
			.withMessageContaining("1001");
		assertThatIllegalArgumentException().isThrownBy(() -> this.letters.audit(null, null, 0))
			.withMessageContaining("between 1 and 1000");
		assertThatIllegalArgumentException().isThrownBy(() -> Operator.named(" ")).withMessageContaining("name");
	}

	@Test
	void filtersReadAnIndex() {
		this.fixture.bury(5000, "max-attempts");
		this.fixture.bury(1, "permanent");
		this.fixture.jdbc().execute("analyze whizbang.wh_dead_letters");
		String plan = String.join("\n", this.fixture.jdbc().queryForList("""
				explain select d.dead_letter_id from whizbang.wh_dead_letters d
				where d.queue = any ('{1}') and whizbang.letter_matches(d, '{"reason": "permanent"}')
				order by d.dead_letter_id desc limit 11""", String.class));
		assertThat(plan).contains("wh_dead_letters_by_reason").doesNotContain("letter_matches");
	}

	@Test
	void whatNeverWasAMessageIsKeptByteForByte() {
		byte[] bytes = { 0, -1, 123, 10 };
		long id = this.letters.record(new RawLetter(Queue.OUTBOX, "kafka:orders", RawLetter.MALFORMED, "bad \0 byte",
				bytes, Map.of("na\0me", "val\0ue")));
		DeadLetter letter = this.letters.find(id);
		assertThat(letter).isNotNull();
		assertThat(letter.message()).isNull();
		assertThat(letter.raw()).isEqualTo(bytes);
		assertThat(letter.source()).isEqualTo("kafka:orders");
		assertThat(letter.reason()).isEqualTo("malformed");
		assertThat(letter.error()).isEqualTo("bad \uFFFD byte");
		assertThat(letter.headers()).containsExactly(Map.entry("na\uFFFDme", "val\uFFFDue"));
		assertThat(letter.attempts()).isZero();
		assertThat(letter.history()).isEmpty();
	}

	@Test
	void recordBelongsToTheTransactionOfItsCaller() {
		TransactionTemplate transaction = new TransactionTemplate(
				new JdbcTransactionManager(this.database.dataSource()));
		transaction.executeWithoutResult((status) -> {
			this.letters.record(this.fixture.raw("kafka:orders", "{"));
			status.setRollbackOnly();
		});
		assertThat(this.fixture.names()).isEmpty();
		transaction.executeWithoutResult((status) -> this.letters.record(this.fixture.raw("kafka:orders", "{")));
		assertThat(this.fixture.names()).hasSize(1);
	}

	@Test
	void decisionsAreApartFromTheTransactionOfTheirCaller() {
		this.fixture.die("A1");
		long id = this.fixture.id("A1");
		new TransactionTemplate(new JdbcTransactionManager(this.database.dataSource()))
			.executeWithoutResult((status) -> {
				this.letters.discard(id, ADA);
				status.setRollbackOnly();
			});
		assertThat(this.fixture.names()).isEmpty();
	}

	@Test
	void hugeErrorsAreBounded() {
		long id = this.letters.record(new RawLetter(Queue.OUTBOX, "kafka:orders", RawLetter.MALFORMED,
				"x".repeat(1_000_000), new byte[0], Map.of()));
		DeadLetter letter = this.letters.find(id);
		assertThat(letter).isNotNull();
		assertThat(letter.error().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(FailureText.MAX_BYTES);
	}

	@Test
	void discardedLettersAreGoneAndTheAuditKnowsThem() {
		this.fixture.die("A1", "B1");
		DeadLetter a1 = this.fixture.letter("A1");
		long raw = this.letters.record(this.fixture.raw("kafka:orders", "{"));
		assertThat(this.letters.discard(List.of(a1.id(), raw, 4711L), ADA.noting("test data")))
			.isEqualTo(new Decision(2, Set.of(4711L), Set.of()));
		assertThat(this.fixture.names()).containsExactly("B1");
		assertThat(this.fixture.waiting()).isZero();
		assertThat(this.fixture.news).containsExactly("DISCARDED outbox 2");
		List<AuditEntry> audit = this.letters.audit(null, null, 10);
		assertThat(audit).extracting(AuditEntry::letterId).containsExactly(raw, a1.id());
		assertThat(audit).allSatisfy((entry) -> {
			assertThat(entry.action()).isEqualTo(Action.DISCARDED);
			assertThat(entry.by()).isEqualTo(ADA.noting("test data"));
		});
		assertThat(audit.get(0).source()).isEqualTo("kafka:orders");
		assertThat(audit.get(1).error()).isEqualTo("io.whizbang.work.PermanentFailureException: no hope for A1");
		assertThat(audit.get(1).topic()).isEqualTo("things");
		assertThat(this.letters.audit(a1.message().id(), null, 10)).containsExactly(audit.get(1));
		assertThat(this.letters.audit(null, audit.get(0).id(), 10)).containsExactly(audit.get(1));
		assertThat(this.letters.audit(null, null, 1)).containsExactly(audit.get(0));
	}

	@Test
	void allOfAFilterAreDiscardedInBatches() {
		this.fixture.bury(1200, "max-attempts");
		this.fixture.bury(2, "permanent");
		assertThat(this.letters.discardAll(DeadLetterFilter.ALL.reason("max-attempts"), ADA)).isEqualTo(1200);
		assertThat(this.fixture.news).containsExactly("DISCARDED outbox 500", "DISCARDED outbox 500",
				"DISCARDED outbox 200");
		assertThat(this.fixture.names()).hasSize(2);
	}

	@Test
	void oldLettersAndDecisionsGo() {
		this.fixture.bury(3, "max-attempts");
		this.fixture.jdbc().update("update whizbang.wh_dead_letters set died_at = now() - interval '91 days'");
		this.fixture.bury(1, "permanent");
		assertThat(this.letters.discardOlderThan(Duration.ofDays(90))).isEqualTo(3);
		assertThat(this.letters.discardOlderThan(Duration.ofDays(90))).isZero();
		assertThat(this.fixture.names()).hasSize(1);
		assertThat(this.letters.audit(null, null, 10)).hasSize(3)
			.allSatisfy((entry) -> assertThat(entry.by()).isEqualTo(Operator.named("whizbang").noting("retention")));
		this.fixture.jdbc().update("""
				update whizbang.wh_dead_letter_audit set decided_at = now() - interval '400 days'
				where audit_id = (select min(audit_id) from whizbang.wh_dead_letter_audit)""");
		assertThat(this.letters.forgetDecisionsOlderThan(Duration.ofDays(365))).isEqualTo(1);
		assertThat(this.letters.audit(null, null, 10)).hasSize(2);
	}

}
