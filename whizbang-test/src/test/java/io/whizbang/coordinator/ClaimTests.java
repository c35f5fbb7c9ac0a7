package io.whizbang.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.NewMessage;
import io.whizbang.message.StreamId;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.junit.jupiter.api.Test;

import static io.whizbang.coordinator.TestInstance.names;
import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class ClaimTests {

	private static final int MEGABYTE = 1024 * 1024;

	private final CoordinatorFixture fixture;

	private final TestInstance instance;

	ClaimTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.instance = this.fixture.join();
	}

	@Test
	void emptyQueueGivesNothing() {
		WorkBatch batch = this.instance.claim();
		assertThat(batch.claim()).isNull();
		assertThat(batch.work()).isEmpty();
		assertThat(batch.more()).isFalse();
		assertThat(batch.heldBack()).isFalse();
		assertThat(batch.nextDue()).isNull();
		assertThat(this.fixture.claims()).isZero();
	}

	@Test
	void requestThatAsksForNothingGetsNothing() {
		this.fixture.enqueue("a1");
		List<Map<String, Object>> rows = this.fixture.jdbc()
			.queryForList("select * from whizbang.process_work_batch(1::smallint, ?, '{}', '{}')", this.instance.id());
		assertThat(rows).hasSize(1);
		assertThat(this.fixture.claims()).isZero();
	}

	@Test
	void callerGetsNoMoreThanItAskedForAndLearnsThatThereIsMore() {
		this.fixture.enqueueKeyless(IntStream.range(0, 25).mapToObj((i) -> "x" + i).toArray(String[]::new));
		WorkBatch first = this.instance.claim(10);
		assertThat(first.work()).hasSize(10);
		assertThat(first.more()).isTrue();
		assertThat(this.instance.claim(0).work()).isEmpty();
		// Else its partitions, which may have more than one of the messages, are kept.
		this.instance.finish(first);
		WorkBatch second = this.instance.claim(10);
		assertThat(second.more()).isTrue();
		this.instance.finish(second);
		WorkBatch last = this.instance.claim(10);
		assertThat(last.work()).hasSize(5);
		assertThat(last.more()).isFalse();
	}

	@Test
	void limitHoldsForHeadsAndTheirLinesToo() {
		this.fixture.enqueueMany("a", 30);
		this.fixture.enqueueMany("b", 30);
		WorkBatch held = this.instance.claim();
		this.instance.report(held, Outcome.RELEASE, "a1", "b1");
		for (int limit : List.of(1, 2, 3, 7, 20)) {
			WorkBatch batch = this.instance.claim(limit);
			assertThat(batch.work()).hasSizeBetween(1, limit);
			this.instance.finish(batch);
		}
	}

	@Test
	void claimsByHandNeedNoMemory() {
		this.fixture.enqueue("a1", "a2", "b1");
		WorkCoordinator coordinator = this.instance.coordinator();
		Queue queue = Queue.OUTBOX;
		List<Work> first = coordinator.claim(this.instance.id(), queue, 2);
		assertThat(coordinator.claim(this.instance.id(), queue, 10)).hasSize(1);
		assertThat(coordinator.renew(this.instance.id(), queue, List.of(first.get(0).claim()))).isEmpty();
		assertThat(coordinator.complete(this.instance.id(), queue, first)).isEmpty();
		assertThat(coordinator.report(this.instance.id(), queue, Map.of(first.get(0), Outcome.DONE))).hasSize(1);
		assertThat(this.fixture.waiting()).isOne();
	}

	@Test
	void hotStreamBehindABusyPartitionDoesNotKeepOtherStreamsFromBeingClaimed() {
		this.fixture.enqueueMany("hot", 12_000);
		this.fixture.enqueue("b1", "c1", "b2");
		WorkBatch hot = this.instance.claim(10);
		assertThat(names(hot)).first().isEqualTo("hot1");
		List<String> others = new ArrayList<>();
		int calls = 0;
		WorkBatch batch;
		do {
			batch = this.instance.claim(10);
			others.addAll(names(batch));
			calls++;
		}
		while (batch.more());
		assertThat(others).containsExactly("b1", "c1", "b2");
		assertThat(calls).isLessThanOrEqualTo(5);
		WorkBatch next = this.instance.exchange(TestInstance.finished(hot), 10);
		assertThat(names(next)).first().isEqualTo("hot11");
		assertThat(names(next)).last().isEqualTo("hot20");
	}

	@Test
	void hotStreamThatAnotherInstanceHoldsIsContinuedInOrder() {
		String hot = this.fixture.streamFor(2, 1);
		String other = this.fixture.streamFor(2, 1);
		this.fixture.enqueueMany(hot, 7_000);
		this.fixture.enqueue(other + 1);
		WorkBatch held = this.instance.claim(10);
		TestInstance second = this.fixture.join();
		List<String> claimed = new ArrayList<>();
		WorkBatch batch = second.claim(50);
		while (batch.more()) {
			claimed.addAll(names(batch));
			batch = second.claim(50);
		}
		claimed.addAll(names(batch));
		assertThat(claimed).containsExactly(other + 1);
		assertThat(batch.heldBack()).isTrue();
		this.instance.finish(held);
		this.fixture.enqueue(hot + 7001);
		List<String> rest = new ArrayList<>();
		for (int i = 0; i < 5 && rest.isEmpty(); i++) {
			rest.addAll(names(second.claim(50)));
		}
		assertThat(rest).first().isEqualTo(hot + 11);
		assertThat(rest).last().isEqualTo(hot + 60);
	}

	@Test
	void partitionThatBecomesFreeDuringAScanIsNotOvertaken() {
		this.fixture.enqueueMany("hot", 6_000);
		WorkBatch hot = this.instance.claim(10);
		assertThat(this.instance.claim(10).more()).as("the scan is not at its end").isTrue();
		this.instance.finish(hot);
		WorkBatch next = this.instance.claim(10);
		while (next.claim() == null && next.more()) {
			next = this.instance.claim(10);
		}
		assertThat(names(next)).first().isEqualTo("hot11");
	}

	@Test
	void whatWasPassedOverIsAskedForAgainAsSoonAsItIsFree() {
		this.fixture.enqueue("a1", "a2", "b1", "c1");
		WorkBatch held = this.instance.claim(1);
		assertThat(names(held)).containsExactly("a1");
		assertThat(names(this.instance.claim(1))).containsExactly("b1");
		WorkBatch batch = this.instance.exchange(TestInstance.finished(held), 1);
		assertThat(names(batch)).containsExactly("c1");
		assertThat(batch.more()).isTrue();
		batch = this.instance.claim(1);
		if (batch.claim() == null) {
			assertThat(batch.more()).as("a2 is free").isTrue();
			batch = this.instance.claim(1);
		}
		assertThat(names(batch)).containsExactly("a2");
	}

	@Test
	void whatIsPassedOverAndStillHeldIsNotAskedForAgain() {
		this.fixture.enqueueMany("hot", 12_000);
		this.instance.claim(10);
		int calls = 1;
		while (this.instance.claim(10).more()) {
			calls++;
			assertThat(calls).isLessThan(10);
		}
	}

	@Test
	void largeBodiesComeCompleteAndInOrder() {
		List<NewMessage> messages = IntStream.range(0, 5)
			.mapToObj((i) -> CoordinatorFixture.message(i + "x".repeat(100_000), "a"))
			.toList();
		this.fixture.enqueue(messages);
		assertThat(names(this.instance.claim()))
			.containsExactlyElementsOf(messages.stream().map(NewMessage::payload).toList());
	}

	@Test
	void hugePayloadsLimitAClaimByTheirBytes() {
		enqueueLarge(12, 3 * MEGABYTE);
		WorkBatch first = this.instance.claim();
		assertThat(first.work()).hasSize(5);
		assertThat(first.more()).isTrue();
		assertThat(this.instance.claim().work()).hasSize(5);
		assertThat(this.instance.claim().work()).hasSize(2);
	}

	@Test
	void messageLargerThanAnyClaimGoesAlone() {
		enqueueLarge(2, 17 * MEGABYTE);
		assertThat(this.instance.claim().work()).hasSize(1);
		assertThat(this.instance.claim().work()).hasSize(1);
	}

	@Test
	void hugePayloadsThatComeBackLimitAClaimByTheirBytes() {
		enqueueLarge(12, 3 * MEGABYTE);
		for (int i = 0; i < 3; i++) {
			this.instance.claim();
		}
		this.fixture.clock().advance(CoordinatorFixture.LEASE.plusMillis(1));
		List<Integer> sizes = new ArrayList<>();
		while (sizes.stream().mapToInt(Integer::intValue).sum() < 12) {
			sizes.add(this.instance.claim().work().size());
			assertThat(sizes).allMatch((size) -> size >= 1 && size <= 6);
		}
	}

	private void enqueueLarge(int count, int bytes) {
		this.fixture.jdbc().update("""
				insert into whizbang.wh_messages
				    (queue, partition_hash, size, message_id, topic, message_type, headers, payload)
				select 1, n, ?, gen_random_uuid(), 'test', 'Test', '{}', repeat('x', ?)
				from generate_series(1, ?) n""", bytes, bytes, count);
	}

	@Test
	void messagesArriveAsTheyWereStored() {
		NewMessage stored = new NewMessage(MessageId.next(), "orders", "OrderPlaced", StreamId.of("order-7"),
				Map.of("tenant", "n\u00f6rd", "empty", ""), "{\"text\": \"\u4e2d \\\"quoted\\\"\"}", null, null);
		this.instance.store(stored);
		WorkBatch batch = this.instance.claim();
		assertThat(batch.work()).singleElement().satisfies((work) -> {
			assertThat(work.claim()).isEqualTo(batch.claim());
			assertThat(work.attempts()).isZero();
			assertThat(work.lastError()).isNull();
			Envelope envelope = work.envelope();
			assertThat(envelope.id()).isEqualTo(stored.id());
			assertThat(envelope.topic()).isEqualTo("orders");
			assertThat(envelope.type()).isEqualTo("OrderPlaced");
			assertThat(envelope.stream()).isEqualTo(stored.stream());
			assertThat(envelope.headers()).isEqualTo(stored.headers());
			assertThat(envelope.payload()).isEqualTo(stored.payload());
			assertThat(envelope.createdAt()).isEqualTo(this.fixture.clock().now());
		});
	}

}
