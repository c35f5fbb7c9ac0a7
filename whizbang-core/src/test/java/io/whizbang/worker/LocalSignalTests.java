package io.whizbang.worker;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.message.StreamId;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LocalSignalTests {

	private final PumpFixture fixture = new PumpFixture();

	private final LocalSignal signal = new LocalSignal(List.of(this.fixture.pump), FakeCoordinator.PARTITIONS, null);

	@Test
	void wakesThePumpForItsOwnShare() {
		this.fixture.pump.step();
		this.signal.raise(Queue.OUTBOX, Set.of(0));
		this.fixture.pump.step();
		assertThat(this.fixture.exchanges()).isEqualTo(2);
	}

	@Test
	void letsThePumpSleepWhenTheShareIsAnothers() {
		this.fixture.pump.step();
		this.fixture.database.register(new InstanceInfo("other", "host", 2, Map.of()), Set.of());
		this.fixture.pump.runOnce();
		this.signal.raise(Queue.OUTBOX, Set.of(FakeCoordinator.PARTITIONS + 1));
		this.fixture.pump.step();
		assertThat(this.fixture.exchanges()).isEqualTo(2);
		this.signal.raise(Queue.OUTBOX, Set.of(1, 2));
		this.fixture.pump.step();
		assertThat(this.fixture.exchanges()).isEqualTo(3);
	}

	@Test
	void findsTheOwnersOfPartitions() {
		BitSet owners = new Share(3, 0, 1).owners(List.of(0, 3, 64 + 1, 10 * 64 + 4), 64);
		assertThat(owners.stream()).containsExactly(0, 1);
	}

	@Test
	void agreesWithTheDatabaseOnTheOwner() {
		int hash = StreamId.partitionHash(StreamId.of("a").value());
		assertThat(new Share(3, 0, 1).owners(List.of(hash), 10_000).get(hash % 10_000 % 3)).isTrue();
	}

}
