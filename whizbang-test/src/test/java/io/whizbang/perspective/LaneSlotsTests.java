package io.whizbang.perspective;

import java.util.Collection;
import java.util.List;

import io.whizbang.coordinator.JdbcCalls;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A shard has one lane at a time, also while its run begins to serve.
 */
class LaneSlotsTests {

	private static final PerspectiveRun RUN = new PerspectiveRun("p", 1, 2);

	private final LaneSlots slots = new LaneSlots(List.of(tools()), PerspectiveListener.NONE);

	@Test
	void aLaneOfARunThatBeginsToServeBeginsAnewWhenTheOldOneHasEnded() {
		offer(false);
		LaneSlot old = only();
		old.begin();
		offer(true);
		assertThat(only()).isSameAs(old);
		assertThat(old.busy()).isEmpty();
		assertThat(old.takeReload()).as("whether to ask while it runs").isFalse();
		old.rejected();
		assertThat(old.isStopped()).isTrue();
		assertThat(old.takeReload()).as("whether to ask when it has ended").isTrue();
		offer(true);
		assertThat(only()).isNotSameAs(old);
		assertThat(only().run().serving()).isTrue();
	}

	@Test
	void aLaneOfARunThatBeginsToServeWhileNothingRunsBeginsAnewAtOnce() {
		offer(false);
		LaneSlot old = only();
		offer(true);
		assertThat(only()).isNotSameAs(old);
		assertThat(only().run().serving()).isTrue();
	}

	private LaneSlot only() {
		Collection<LaneSlot> all = this.slots.all();
		assertThat(all).as("lanes").hasSize(1);
		return all.iterator().next();
	}

	private void offer(boolean serving) {
		HeldShard shard = new HeldShard(0, 1, 0, Place.at(Tick.START));
		long now = System.nanoTime();
		this.slots.offer(List.of(new HeldRow(new RunInfo(7, RUN, serving, 1), 1, shard, true, true, null)), now);
	}

	private static LaneTools tools() {
		DriverManagerDataSource nowhere = new DriverManagerDataSource();
		PerspectiveHandler handler = new RecordingPerspective("p").asGlobal();
		PerspectiveParts parts = PerspectiveParts.of(nowhere, PerspectiveFixture.SCHEMA,
				new JdbcTransactionManager(nowhere), PerspectiveFixture.CODEC, PerspectiveFixture.TYPES,
				List.of(handler));
		JdbcCalls calls = new JdbcCalls(nowhere, PerspectiveFixture.SCHEMA);
		return LaneTools.of(parts, new Projection(handler, parts.codec(), parts.types(), new JdbcFeed(calls)), calls,
				new Waiters(), Runnable::run);
	}

}
