package io.whizbang.coordinator;

import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;

import static io.whizbang.coordinator.CoordinatorFixture.STALE;
import static io.whizbang.coordinator.CoordinatorFixture.partition;
import static io.whizbang.coordinator.CoordinatorFixture.streamOf;
import static io.whizbang.coordinator.TestInstance.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@PostgresTest
class PartitionTests {

	private final CoordinatorFixture fixture;

	PartitionTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
	}

	private void enqueueStreams(int count) {
		this.fixture.enqueue(
				IntStream.range(0, count).mapToObj((i) -> this.fixture.streamFor(1, 0) + 1).toArray(String[]::new));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7 })
	void everyPartitionHasExactlyOneOwner(int members) {
		List<TestInstance> instances = this.fixture.join(members);
		enqueueStreams(200);
		List<String> claimed = new ArrayList<>();
		for (TestInstance instance : instances) {
			List<String> mine = names(instance.claim(200));
			assertThat(mine).hasSizeGreaterThan(200 / members / 3)
				.allMatch((name) -> partition(streamOf(name)) % members == instance.rank());
			claimed.addAll(mine);
		}
		assertThat(claimed).hasSize(200).doesNotHaveDuplicates();
	}

	@Test
	void streamKeepsItsPartition() {
		this.fixture.enqueue("a1", "b1");
		this.fixture.enqueue("a2", "b2");
		assertThat(this.fixture.jdbc()
			.queryForList("select distinct partition_number from whizbang.wh_messages where stream_key = 'a'",
					Integer.class))
			.containsExactly(partition("a"));
	}

	@Test
	void messagesWithoutStreamSpreadOverThePartitions() {
		this.fixture.enqueueKeyless(IntStream.range(0, 100).mapToObj((i) -> "x" + i).toArray(String[]::new));
		assertThat(this.fixture.number("select count(distinct partition_number) from whizbang.wh_messages "
				+ "where partition_number between 0 and 9999"))
			.isGreaterThan(90);
	}

	@Test
	void shareOfADeadInstanceIsRedistributed() {
		List<TestInstance> instances = this.fixture.join(3);
		enqueueStreams(90);
		TestInstance dead = instances.get(1);
		assertThat(dead.claim().work()).isNotEmpty();
		this.fixture.clock().advance(STALE.plusSeconds(1));
		this.fixture.jdbc()
			.update("update whizbang.wh_service_instances set last_heartbeat_at = ? where instance_id <> ?",
					Timestamp.from(this.fixture.clock().now()), dead.id());
		List<String> all = new ArrayList<>(instances.get(0).drain());
		all.addAll(instances.get(2).drain());
		all.addAll(instances.get(0).drain());
		assertThat(all).hasSize(90).doesNotHaveDuplicates();
	}

	@Test
	void shareThatFallsToAnInstanceIsScannedFromItsBeginning() {
		List<TestInstance> instances = this.fixture.join(2);
		String stream = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(stream + 1, stream + 2);
		assertThat(instances.get(0).claim().work()).isEmpty();
		assertThat(instances.get(0).ahead()).as("the scan is behind both")
			.isGreaterThanOrEqualTo(this.fixture.number("select max(seq) from whizbang.wh_messages"));
		instances.get(1).leave();
		assertThat(instances.get(0).drain()).containsExactly(stream + 1, stream + 2);
	}

	@Test
	void joiningInstanceStealsNothingAndNobodyIsStuck() {
		TestInstance first = this.fixture.join();
		String moving = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(moving + 1, moving + 2);
		WorkBatch held = first.claim(1);
		TestInstance second = this.fixture.join();
		this.fixture.enqueue(moving + 3);
		WorkBatch answer = second.claim();
		assertThat(answer.work()).isEmpty();
		assertThat(answer.heldBack()).as("held back by the other's claim").isTrue();
		assertThat(first.renew(held).lost()).isEmpty();
		assertThat(first.finish(held).lost()).isEmpty();
		assertThat(first.drain()).isEmpty();
		assertThat(second.drain()).containsExactly(moving + 2, moving + 3);
	}

	@Test
	void equallyLongMemberListsWithOtherMembersDoNotDisturbEachOther() {
		List<TestInstance> instances = this.fixture.join(2);
		String stream = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(stream + 1);
		WorkBatch held = instances.get(1).claim();
		instances.get(0).leave();
		TestInstance third = this.fixture.join();
		assertThat(instances.get(1).rank()).isZero();
		this.fixture.enqueue(stream + 2);
		assertThat(third.claim().work()).isEmpty();
		instances.get(1).finish(held);
		assertThat(third.drain()).containsExactly(stream + 2);
	}

	@Test
	void stealingTakesWorkOfAnotherShareOnlyWhenAllowed() {
		List<TestInstance> instances = this.fixture.join(2);
		String stream = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(stream + 1, stream + 2);
		assertThat(instances.get(0).claim().work()).isEmpty();
		WorkBatch stolen = instances.get(0).steal();
		assertThat(names(stolen)).containsExactly(stream + 1, stream + 2);
		this.fixture.enqueue(stream + 3);
		WorkBatch answer = instances.get(1).claim();
		assertThat(answer.work()).as("of a stream that is stolen").isEmpty();
		assertThat(answer.heldBack()).isTrue();
		instances.get(0).finish(stolen);
		assertThat(instances.get(1).drain()).containsExactly(stream + 3);
	}

	@Test
	void stealingLeavesClaimedPartitionsAlone() {
		List<TestInstance> instances = this.fixture.join(2);
		String held = this.fixture.streamFor(2, 1);
		String free = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(held + 1, held + 2, free + 1);
		WorkBatch claimed = instances.get(1).claim(1);
		assertThat(names(claimed)).containsExactly(held + 1);
		assertThat(names(instances.get(0).steal())).containsExactly(free + 1);
		instances.get(1).finish(claimed);
		assertThat(instances.get(1).drain()).containsExactly(held + 2);
	}

	@Test
	void stealingKeepsTheOrderBehindAWaitingHead() {
		List<TestInstance> instances = this.fixture.join(2);
		String stream = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(stream + 1, stream + 2);
		WorkBatch claimed = instances.get(1).claim();
		instances.get(1).report(claimed, new Outcome.Retry(Duration.ofSeconds(10), "boom"), stream + 1);
		this.fixture.enqueue(stream + 3);
		assertThat(instances.get(0).steal().work()).isEmpty();
		this.fixture.clock().advance(Duration.ofSeconds(11));
		WorkBatch stolen = instances.get(0).steal();
		assertThat(names(stolen)).containsExactly(stream + 1, stream + 2, stream + 3);
	}

	@Test
	void instanceHoldsNoMorePartitionsThanItMay() {
		CoordinatorSettings defaults = CoordinatorSettings.defaults();
		TestInstance capped = this.fixture.join(new CoordinatorSettings(defaults.lease(), defaults.heartbeat(),
				defaults.deadAfter(), defaults.staleAfter(), defaults.partitions(), 2, false, false));
		List<String> streams = this.fixture.streamsFor(1, 0, 5);
		this.fixture.enqueue(streams.stream().flatMap((name) -> Stream.of(name + 1, name + 2)).toArray(String[]::new));
		WorkBatch first = capped.claim();
		assertThat(names(first)).containsExactly(streams.get(0) + 1, streams.get(0) + 2, streams.get(1) + 1,
				streams.get(1) + 2);
		WorkBatch none = capped.claim();
		assertThat(none.work()).isEmpty();
		assertThat(none.more()).as("calling again helps").isFalse();
		capped.finish(first);
		List<String> rest = new ArrayList<>();
		for (int i = 0; i < 10 && rest.size() < 6; i++) {
			WorkBatch batch = capped.claim();
			rest.addAll(names(batch));
			if (batch.claim() != null) {
				capped.finish(batch);
			}
		}
		assertThat(rest).containsExactlyElementsOf(
				streams.subList(2, 5).stream().flatMap((name) -> Stream.of(name + 1, name + 2)).toList());
	}

	private static CoordinatorSettings withPartitions(int partitions) {
		CoordinatorSettings defaults = CoordinatorSettings.defaults();
		return new CoordinatorSettings(defaults.lease(), defaults.heartbeat(), defaults.deadAfter(),
				defaults.staleAfter(), partitions, null, false, false);
	}

	@Test
	void numberOfPartitionsChangesWhileTheQueueIsEmpty() {
		TestInstance first = this.fixture.join();
		this.fixture.enqueue("a1");
		assertThat(first.drain()).containsExactly("a1");
		first.store(CoordinatorFixture.message("later1", "later", Duration.ofSeconds(1)));
		TestInstance second = this.fixture.join(withPartitions(7));
		enqueueStreams(50);
		this.fixture.clock().advance(Duration.ofSeconds(1));
		assertThat(first.drain().size() + second.drain().size()).isEqualTo(51);
		assertThat(this.fixture.number("select partitions from whizbang.wh_epoch where queue = 1")).isEqualTo(7);
	}

	@Test
	void streamsLandInTheNewNumberOfPartitions() {
		this.fixture.join(withPartitions(7));
		enqueueStreams(50);
		assertThat(this.fixture.number("select count(distinct partition_number) from whizbang.wh_messages "
				+ "where partition_number between 0 and 6"))
			.isEqualTo(7);
	}

	@Test
	void numberOfPartitionsStaysWhileMessagesWait() {
		this.fixture.enqueue("a1");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> this.fixture.join(withPartitions(7)))
			.withMessageContaining("has 10000 partitions and messages in it, so it cannot change to 7");
		assertThat(this.fixture.members()).isZero();
		assertThat(this.fixture.join().drain()).containsExactly("a1");
	}

}
