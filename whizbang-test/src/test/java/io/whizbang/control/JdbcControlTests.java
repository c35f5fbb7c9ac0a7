package io.whizbang.control;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.whizbang.control.BlockedStream.Reason;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What operators see: who shares the work, and which streams do not move, why and behind
 * whom (G4 is what they see at work).
 */
@PostgresTest
class JdbcControlTests {

	private final ControlFixture fixture;

	JdbcControlTests(PostgresDatabase database) {
		this.fixture = new ControlFixture(database);
	}

	@Test
	void listsInstancesWithTheirRankAndWhatTheyHold() {
		UUID first = this.fixture.join("a", 1, Queue.OUTBOX);
		UUID second = this.fixture.join("b", 2, Queue.OUTBOX);
		this.fixture.join("a", 1, Queue.INBOX);
		this.fixture.hold(second, List.of(7L, 8L, 9L));
		assertThat(this.fixture.control.registrations()).hasSize(3)
			.filteredOn((one) -> one.queue() == 1)
			.extracting(Registration::id, Registration::host, Registration::rank, Registration::members,
					Registration::claims, Registration::messages)
			.containsExactly(tuple(first, "a", 0, 2, 0, 0L), tuple(second, "b", 1, 2, 1, 3L));
	}

	@Test
	void tellsWhyAStreamDoesNotMove() {
		this.fixture.block(3, 2);
		UUID holder = this.fixture.join("a", 4711, Queue.OUTBOX);
		List<BlockedStream> waiting = this.fixture.control.blockedStreams(Queue.OUTBOX, null, 10);
		assertThat(waiting).extracting(BlockedStream::stream).containsExactly("s1", "s2", "s3");
		assertThat(waiting).allSatisfy((stream) -> {
			assertThat(stream.reason()).isEqualTo(Reason.WAITS_FOR_RETRY);
			assertThat(stream.behind()).isEqualTo(2);
			assertThat(stream.attempts()).isEqualTo(3);
			assertThat(stream.error()).isEqualTo("out of paper");
		});
		this.fixture.hold(holder, List.of(waiting.get(1).seq()));
		this.fixture.jdbc
			.update("update whizbang.wh_messages set scheduled_for = now() where status = 1 and stream_key = 's3'");
		List<BlockedStream> now = this.fixture.control.blockedStreams(Queue.OUTBOX, null, 10);
		assertThat(now).extracting(BlockedStream::stream).containsExactly("s3", "s1", "s2");
		assertThat(now).extracting(BlockedStream::reason)
			.containsExactly(Reason.UNCLAIMED, Reason.WAITS_FOR_RETRY, Reason.IN_WORK);
		BlockedStream.Holder held = now.get(2).holder();
		assertThat(held).isNotNull();
		assertThat(held.process()).isEqualTo("a:4711");
		assertThat(this.fixture.control.blockedStreams(Queue.INBOX, null, 10)).isEmpty();
	}

	@Test
	void listsBlockedStreamsInPages() {
		this.fixture.block(5, 0);
		List<String> seen = new ArrayList<>();
		List<BlockedStream> page = this.fixture.control.blockedStreams(Queue.OUTBOX, null, 2);
		while (!page.isEmpty()) {
			page.forEach((stream) -> seen.add(stream.stream()));
			BlockedStream last = page.get(page.size() - 1);
			page = this.fixture.control.blockedStreams(Queue.OUTBOX, new JdbcControl.Place(last.due(), last.seq()), 2);
		}
		assertThat(seen).containsExactly("s1", "s2", "s3", "s4", "s5");
	}

	@Test
	void countsALongLineOnlySoFar() {
		this.fixture.block(1, 1200);
		assertThat(this.fixture.control.blockedStreams(Queue.OUTBOX, null, 1)).singleElement()
			.extracting(BlockedStream::behind)
			.isEqualTo(BlockedStream.MAX_BEHIND);
	}

	@Test
	void refusesAPageThatIsTooLarge() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.fixture.control.blockedStreams(Queue.OUTBOX, null, 1001))
			.withMessage("The limit must be from 1 to 1000 but is 1001");
	}

}
