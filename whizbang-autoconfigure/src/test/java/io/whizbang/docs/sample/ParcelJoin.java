package io.whizbang.docs.sample;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.whizbang.fanout.FanoutPlanner;
import io.whizbang.join.JoinId;
import io.whizbang.join.JoinResult;
import io.whizbang.join.Joins;
import io.whizbang.join.NewJoin;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.outbox.OutboxMessage;

import org.springframework.transaction.annotation.Transactional;

/**
 * The samples of the page about joins.
 */
public class ParcelJoin {

	public final List<String> shipped = new CopyOnWriteArrayList<>();

	private final Joins joins;

	public ParcelJoin(Joins joins) {
		this.joins = joins;
	}

	// tag::start[]
	@Transactional
	public JoinId pack(String order, List<String> parcels) {
		JoinId join = this.joins.start(NewJoin.expecting(parcels.size())
			.whenDone("order-packed")
			.whenFailed("order-stuck")
			.metadata("order", order)
			.build());
		this.joins.enqueueAll(join,
				parcels.stream().map((parcel) -> OutboxMessage.to("pack", parcel).build()).toList());
		return join;
	}
	// end::start[]

	// tag::follow[]
	@OutboxHandler(topic = "order-packed")
	void packed(JoinResult result) {
		this.shipped.add(result.metadata().get("order") + ": " + result.done() + " parcels");
	}
	// end::follow[]

	@OutboxHandler(topic = "pack")
	void pack(String parcel) {
	}

	/** A planner whose runs are counted. */
	abstract static class CountedPlanner implements FanoutPlanner {

		// tag::run[]
		@Override
		public NewJoin join(Instant until) {
			return NewJoin.openEnded().whenEnded("statements-written").build();
		}
		// end::run[]

	}

}
